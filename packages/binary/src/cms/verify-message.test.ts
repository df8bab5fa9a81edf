import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { BinaryError } from '../binary-error.ts'
import { createSigner } from '../fixture/signer.ts'
import { signMessage } from './sign-message.ts'
import { verifyMessage } from './verify-message.ts'

const content = '<plist><dict><key>UDID</key><string>00008110-001A2B3C4D5E6F70</string></dict></plist>'
const folder = mkdtempSync(join(tmpdir(), 'fairlead-cms-'))

function openssl(...args: string[]): string {
  return execFileSync('openssl', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Has OpenSSL sign the content. */
function sign(key: string, command: 'cms' | 'smime', ...options: string[]): Buffer {
  const files = ['-in', 'content', '-signer', `${key}.pem`, '-inkey', `${key}.key`, '-out', 'message']
  openssl(command, '-sign', ...files, '-nodetach', '-binary', '-outform', 'DER', ...options)
  return readFileSync(join(folder, 'message'))
}

describe('A signed message', () => {
  after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'content'), content)
  for (const [name, ...options] of [
    ['rsa', 'rsa:2048'],
    ['ec', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  ]) {
    const to = ['-nodes', '-keyout', `${name}.key`, '-out', `${name}.pem`, '-subj', '/CN=Device', '-days', '9']
    openssl('req', '-x509', '-newkey', ...options, ...to)
  }

  for (const key of ['rsa', 'ec']) {
    it(`is read in DER and BER, with and without signed attributes, by SHA-1 and SHA-2: ${key}`, () => {
      for (const digest of ['sha1', 'sha224', 'sha256', 'sha384', 'sha512']) {
        for (const options of [[], ['-noattr'], ['-stream'], ['-stream', '-noattr'], ['-keyid']]) {
          const verified = verifyMessage(sign(key, 'cms', '-md', digest, ...options))
          assert.equal(verified.content.toString(), content, `${digest} ${options.join(' ')}`)
        }
      }
      assert.equal(verifyMessage(sign(key, 'smime', '-stream')).content.toString(), content)
      if (key === 'rsa') verifyMessage(sign(key, 'cms', '-keyopt', 'rsa_padding_mode:pss'))
    })

    it(`is refused wherever a byte of what is signed was changed: ${key}`, () => {
      for (const options of [[], ['-noattr', '-stream']]) {
        const message = sign(key, 'cms', ...options)
        for (let at = 0; at < message.length; at++) {
          const changed = Buffer.from(message)
          changed[at] = (changed[at] ?? 0) ^ 0x10
          try {
            assert.equal(verifyMessage(changed).content.toString(), content, `byte ${at}`)
          } catch (error) {
            if (!(error instanceof BinaryError)) throw error
          }
          const start = message.indexOf(content)
          const isContent = at >= start && at < start + content.length
          if (isContent) assert.throws(() => verifyMessage(changed), BinaryError)
        }
      }
    })
  }

  it('is refused where it is cut off, goes on, has no content or nobody has signed it', () => {
    const message = sign('ec', 'cms', '-stream')
    for (let length = 0; length < message.length; length++) {
      assert.throws(() => verifyMessage(message.subarray(0, length)), BinaryError)
    }
    assert.throws(() => verifyMessage(Buffer.concat([message, Buffer.of(0)])), BinaryError)
    openssl(
      'cms',
      '-sign',
      '-in',
      'content',
      '-signer',
      'ec.pem',
      '-inkey',
      'ec.key',
      '-outform',
      'DER',
      '-out',
      'message',
    )
    assert.throws(() => verifyMessage(readFileSync(join(folder, 'message'))), BinaryError, 'detached')
    assert.throws(() => verifyMessage(sign('ec', 'cms', '-nocerts')), BinaryError, 'without its certificate')
    openssl('crl2pkcs7', '-nocrl', '-certfile', 'ec.pem', '-outform', 'DER', '-out', 'message')
    assert.throws(() => verifyMessage(readFileSync(join(folder, 'message'))), BinaryError, 'certificates alone')
    assert.throws(() => verifyMessage(Buffer.from('3080'.repeat(40_000), 'hex')), BinaryError, 'deep')
  })

  it('is refused with the signature of another key', () => {
    const [own, other] = [createSigner(), createSigner()]
    const message = signMessage(Buffer.from(content), {
      certificates: [own.certificate],
      privateKey: other.privateKey,
    })
    assert.throws(() => verifyMessage(message), { code: 'wrong-signature' })
  })

  it('is written so that OpenSSL verifies it', () => {
    for (const key of ['rsa', 'ec']) {
      const certificate = new X509Certificate(readFileSync(join(folder, `${key}.pem`))).raw
      const privateKey = createPrivateKey(readFileSync(join(folder, `${key}.key`)))
      const message = signMessage(Buffer.from(content), { certificates: [certificate], privateKey })
      writeFileSync(join(folder, 'message'), message)
      const verified = openssl(
        'cms',
        '-verify',
        '-in',
        'message',
        '-inform',
        'DER',
        '-binary',
        '-CAfile',
        `${key}.pem`,
        '-purpose',
        'any',
      )
      assert.equal(verified, content)
      assert.equal(verifyMessage(message).content.toString(), content)
    }
  })
})
