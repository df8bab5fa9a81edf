import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { after, describe, it } from 'node:test'
import { openStaging } from './staging.ts'

describe('staging', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fairlead-staging-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const staging = await openStaging(folder)
  const limits = { maxBytes: 10_000_000, idleMs: 5000 }

  it('writes and hashes a body in pieces of any size', async () => {
    const pieces = [1, 70_000, 3_000_000, 0, 17].map((size, index) => Buffer.alloc(size, index + 1))
    const bytes = Buffer.concat(pieces)
    const staged = await staging.receive(Readable.from(pieces, { objectMode: false }), limits)
    assert.equal(staged.size, bytes.length)
    assert.equal(staged.sha256, createHash('sha256').update(bytes).digest('hex'))
    assert.ok((await readFile(staged.path)).equals(bytes))
    await staging.discard(staged)
  })

  it('refuses a body over the limit and leaves no file', async () => {
    const body = Readable.from([Buffer.alloc(10_000_001)], { objectMode: false })
    await assert.rejects(staging.receive(body, limits), { code: 'tooLarge' })
    assert.deepEqual(await readdir(folder), [])
  })

  it('aborts a body that stops sending and leaves no file', async () => {
    const body = new PassThrough()
    body.write('something')
    await assert.rejects(staging.receive(body, { ...limits, idleMs: 50 }), { code: 'idleUpload' })
    assert.deepEqual(await readdir(folder), [])
  })

  it('does not abort a slow body that keeps sending', async () => {
    async function* drip() {
      for (let index = 0; index < 8; index++) {
        await new Promise((resolve) => setTimeout(resolve, 40))
        yield Buffer.from('drop')
      }
    }
    const staged = await staging.receive(Readable.from(drip(), { objectMode: false }), { ...limits, idleMs: 200 })
    assert.equal(staged.size, 32)
    await staging.discard(staged)
  })

  it('leaves no file when the sender disconnects', async () => {
    const body = new PassThrough()
    body.write('half of it')
    setTimeout(() => body.destroy(), 20)
    await assert.rejects(staging.receive(body, limits), { code: 'truncatedBody' })
    assert.deepEqual(await readdir(folder), [])
  })
})
