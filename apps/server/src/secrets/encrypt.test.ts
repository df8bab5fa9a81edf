import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { readConfig } from '../config.ts'
import type { SecretText } from '../db/secret-text.ts'
import { decryptSecret, encryptSecret, UnreadableSecretError } from './encrypt.ts'

const keys = readConfig({ FAIRLEAD_SECRETS_KEY: randomBytes(32).toString('base64') })

it('refuses a secret that was changed, cut, or moved to another column', () => {
  const stored = encryptSecret(keys, 'hooks.secret', 'whsec_größer')
  assert.equal(decryptSecret(keys, 'hooks.secret', stored), 'whsec_größer')
  assert.notEqual(encryptSecret(keys, 'hooks.secret', 'whsec_größer'), stored, 'no nonce is used twice')
  const last = stored.at(-1) === 'A' ? 'B' : 'A'
  for (const changed of [
    `${stored.slice(0, -3)}${last}${stored.slice(-2)}`,
    stored.slice(0, -8),
    stored.slice(0, 24),
  ]) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as somebody may have changed it in the database
    assert.throws(() => decryptSecret(keys, 'hooks.secret', changed as SecretText), UnreadableSecretError, changed)
  }
  assert.throws(() => decryptSecret(keys, 'hooks.url', stored), UnreadableSecretError)
})

it('stores any text readable without a key', () => {
  const none = readConfig({})
  for (const text of ['', 'plain', 'readable:', 'readable:x', 'aes-256-gcm:00000000:AAAA', 'aes-256-gcm:']) {
    assert.equal(decryptSecret(none, 'hooks.feishu_secret', encryptSecret(none, 'hooks.feishu_secret', text)), text)
  }
})
