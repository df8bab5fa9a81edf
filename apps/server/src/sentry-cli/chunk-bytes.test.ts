import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { it } from 'node:test'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { toUploadBody } from './chunk-bytes.ts'

it('a chunk that a file names many times is read once', async () => {
  const chunks = new Map(['first', 'second'].map((text) => [toSha1(text), text]))
  const [first = '', second = ''] = chunks.keys()
  const names = [first, second, ...Array<string>(998).fill(first)]
  const whole = names.map((name) => chunks.get(name)).join('')
  const read: string[] = []
  const blobs = {
    read: async (key: string) => {
      read.push(key)
      return Readable.from([Buffer.from(chunks.get(key) ?? '')])
    },
  }
  const stored = new Map([...chunks].map(([sha1, text]) => [sha1, { sha1, key: sha1, size: text.length }]))
  const body = toUploadBody({ blobs, config: { maxUploadBytes: 1e6 } }, toSha1(whole), names, stored)
  assert.equal((await buffer(body.open())).toString(), whole)
  assert.deepEqual(read, [first, second])
})

function toSha1(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}
