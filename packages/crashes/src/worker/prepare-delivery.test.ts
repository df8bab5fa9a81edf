import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { checkDelivery, prepareDelivery } from './prepare-delivery.ts'

const encoders = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync, none: null }

describe('a delivery that was checked and prepared', () => {
  for (const [name, encode] of Object.entries(encoders)) {
    for (const size of [100, 50_000, 500_000]) {
      it(`leaves its bytes and other buffers unchanged: ${size} bytes, encoding ${name}`, () => {
        const sourceId = 'c'.repeat(32)
        const event = JSON.stringify({ event_id: sourceId, level: 'fatal', message: 'x'.repeat(size) })
        const body = encode ? encode(event) : Buffer.from(event)
        const before = Buffer.from(body)
        // Small buffers share the memory of Node's pool with what is unpacked.
        const others = Array.from({ length: 20 }, () => Buffer.from('another body'))
        const encoding = name === 'none' ? null : (name as 'gzip')
        const delivery = { body, encoding, protocol: 'store', options: {} } as const
        assert.deepEqual(checkDelivery(delivery).crashIds, [sourceId])
        const { crashes } = prepareDelivery(delivery, Buffer.alloc(32))
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
