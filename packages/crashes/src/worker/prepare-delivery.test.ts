import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { checkDelivery, checkLargeDelivery, prepareDelivery } from './prepare-delivery.ts'

const encoders = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync }

const quickBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const quickEncoders = { ...encoders, br: (bytes: Buffer) => brotliCompressSync(bytes, quickBrotli) }
const megabyte = 2 ** 20

describe('a large delivery', () => {
  it('keeps the items of an envelope that its attachments make too large, in any order', async () => {
    const attachment = Buffer.alloc(35 * megabyte, 'x\n')
    const file = [`{"type":"attachment","length":${attachment.length}}\n`, attachment, '\n'] as const
    const write = (...parts: (string | Buffer)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)))
    const first = write('{}\n', ...file, '{"type":"session"}\n{}\n', ...file, '{"type":"event"}\n{}')
    for (const encoding of ['gzip', 'deflate', 'br', 'zstd'] as const) {
      const body = quickEncoders[encoding](first)
      const read = await checkLargeDelivery({ body, encoding, protocol: 'envelope', options: { sourceId: 'e' } })
      const { crashIds, sessionCount, dropped } = read
      assert.deepEqual([crashIds, sessionCount, dropped], [['e'], 1, ['attachment', 'attachment']], encoding)
    }
    const refused = async (...parts: (string | Buffer)[]) => {
      const body = gzipSync(write('{}\n', ...parts), { level: 1 })
      await assert.rejects(checkLargeDelivery({ body, encoding: 'gzip', protocol: 'envelope', options: {} }), {
        code: 'too-large',
      })
    }
    await refused(...file, ...file, ...file, ...file)
    const items = Array.from({ length: 101 }, () => '{"type":"session"}\n{}\n')
    await refused(...file, ...file, ...items)
    const session = '{"type":"session"}\n{}\n'
    const event = `{"message":"${'x'.repeat(megabyte)}"}`
    for (const broken of [
      // A header that cannot be read ends the reading of so large an envelope.
      'no header\n',
      `${'x'.repeat(70_000)}\n`,
      `{"type":"event","length":${event.length}}\n${event}\n${file[0].replace('attachment', 'event')}`,
      `{"type":"event"}\n${event}\n`,
    ]) {
      const body = gzipSync(write('{}\n', session, broken, ...file, ...file), { level: 1 })
      const kept = await checkLargeDelivery({ body, encoding: 'gzip', protocol: 'envelope', options: {} })
      assert.deepEqual([kept.crashIds, kept.sessionCount, kept.dropped[0]], [[], 1, 'damaged'], broken.slice(0, 40))
    }
  })

  it('is refused when it unpacks to more than its protocol allows', async () => {
    const tooLarge = { code: 'too-large' }
    const check = (plain: Buffer, encoding: keyof typeof quickEncoders, protocol: 'envelope' | 'report') =>
      checkLargeDelivery({ body: quickEncoders[encoding](plain), encoding, protocol, options: {} })
    const attachment = Buffer.alloc(64 * megabyte - 200, 'x')
    const header = `{}\n{"type":"session"}\n{}\n{"type":"attachment","length":${attachment.length}}\n`
    const envelope = Buffer.concat([Buffer.from(header), attachment])
    const { sessionCount, dropped } = await check(envelope, 'zstd', 'envelope')
    assert.deepEqual([sessionCount, dropped], [1, ['attachment']])
    for (const encoding of ['gzip', 'deflate', 'br', 'zstd'] as const) {
      const lines = Buffer.alloc(5 * megabyte, '\n')
      await assert.rejects(check(lines, encoding, 'report'), tooLarge)
      // An item that was cut off does not cost the session before it.
      const cut = await check(Buffer.concat([Buffer.from(header), lines]), encoding, 'envelope')
      assert.deepEqual([cut.sessionCount, cut.dropped], [1, ['damaged']])
    }
  })
})

describe('a delivery that was checked and prepared', () => {
  for (const encoding of ['gzip', 'deflate', 'br', 'zstd', null] as const) {
    for (const size of [100, 50_000, 500_000]) {
      it(`leaves its bytes and other buffers unchanged: ${size} bytes, encoding ${encoding}`, async () => {
        const sourceId = 'c'.repeat(32)
        const event = JSON.stringify({ event_id: sourceId, level: 'fatal', message: 'x'.repeat(size) })
        const body = encoding === null ? Buffer.from(event) : encoders[encoding](event)
        const before = Buffer.from(body)
        // Small buffers share the memory of Node's pool with what is unpacked.
        const others = Array.from({ length: 20 }, () => Buffer.from('another body'))
        const delivery = { body, encoding, protocol: 'store', options: {} } as const
        assert.deepEqual(checkDelivery(delivery).crashIds, [sourceId])
        const { crashes } = await prepareDelivery(delivery, { installSecret: Buffer.alloc(32), keepsCustomData: false })
        assert.deepEqual(
          crashes.map((crash) => crash.sourceId),
          [sourceId],
        )
        assert.deepEqual(body, before)
        for (const other of others) assert.equal(other.toString(), 'another body')
      })
    }
  }
})
