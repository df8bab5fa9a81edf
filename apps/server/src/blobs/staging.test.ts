import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
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

  it('writes what it receives, in pieces of any size, and hashes it', async () => {
    const pieces = [1, 70_000, 3_000_000, 0, 17].map((size, index) => Buffer.alloc(size, index + 1))
    const bytes = Buffer.concat(pieces)
    const staged = await staging.receive(Readable.from(pieces, { objectMode: false }), limits)
    assert.equal(staged.size, bytes.length)
    assert.equal(staged.sha256, createHash('sha256').update(bytes).digest('hex'))
    assert.ok((await readFile(staged.path)).equals(bytes))
    await staging.discard(staged)
  })

  it('refuses a body over the limit, and keeps nothing of it', async () => {
    const body = Readable.from([Buffer.alloc(10_000_001)], { objectMode: false })
    await assert.rejects(staging.receive(body, limits), { code: 'tooLarge' })
    assert.deepEqual(await readdir(folder), [])
  })

  it('cuts a body that goes silent, and keeps nothing of it', async () => {
    const body = new PassThrough()
    body.write('something')
    await assert.rejects(staging.receive(body, { ...limits, idleMs: 50 }), { code: 'idleUpload' })
    assert.deepEqual(await readdir(folder), [])
  })

  it('does not cut a body that is slow but moves', async () => {
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

  it('keeps nothing of a body whose sender hangs up', async () => {
    const body = new PassThrough()
    body.write('half of it')
    setTimeout(() => body.destroy(), 20)
    await assert.rejects(staging.receive(body, limits), { code: 'truncatedBody' })
    assert.deepEqual(await readdir(folder), [])
  })

  it('sweeps at the start what a dead process has left', async () => {
    const other = join(folder, 'other')
    await mkdir(join(other, 'half-made'), { recursive: true })
    await writeFile(join(other, 'half-sent'), 'half')
    await openStaging(other)
    assert.deepEqual(await readdir(other), [])
  })
})
