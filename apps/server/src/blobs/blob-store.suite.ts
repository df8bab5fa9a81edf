import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import type { BlobStore } from './blob-store.ts'
import { openStaging } from './staging.ts'

/** The tests that every blob store must pass, run over a new, empty store. */
export function testBlobStore(name: string, openStore: (folder: string) => Promise<BlobStore>): void {
  describe(name, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fairlead-blobs-'))
    after(() => rm(folder, { recursive: true, force: true }))
    const staging = await openStaging(join(folder, 'staging'))
    const store = await openStore(folder)

    const keep = async (key: string, bytes: Buffer) => store.keep(await staging.write(bytes), key)
    const listKeys = async () => (await Array.fromAsync(store.list())).map((blob) => blob.key).sort()

    it('returns the bytes it was given, whole and by range', async () => {
      const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 251))
      await keep('aa-whole', bytes)
      assert.ok((await buffer(await store.read('aa-whole'))).equals(bytes))
      for (const [start, end] of [
        [0, 0],
        [1_048_575, 1_048_577],
        [2_999_999, 2_999_999],
      ] as const) {
        const part = await buffer(await store.read('aa-whole', { start, end }))
        assert.ok(part.equals(bytes.subarray(start, end + 1)))
      }
    })

    it('writes a blob out, whole and by range, even to a slow reader', async () => {
      const bytes = Buffer.from(Array.from({ length: 5_000_000 }, (_, index) => (index * 7) % 253))
      await keep('ab-sent', bytes)
      await using source = await store.openSource('ab-sent')
      for (const [start, end] of [
        [0, bytes.length - 1],
        [1_048_570, 3_145_740],
        [7, 7],
      ] as const) {
        const taken: Buffer[] = []
        const slow = new Writable({
          highWaterMark: 1,
          write(chunk: Buffer, _encoding, done) {
            // The copy is delayed, so that reusing the buffer before `done` is detected.
            setTimeout(() => {
              taken.push(Buffer.from(chunk))
              done()
            }, 5)
          },
        })
        await source.writeTo(slow, { start, end })
        assert.ok(Buffer.concat(taken).equals(bytes.subarray(start, end + 1)))
      }
    })

    it('stops writing when the destination closes', async () => {
      await keep('ac-abandoned', Buffer.alloc(5_000_000))
      await using source = await store.openSource('ac-abandoned')
      const stuck = new Writable({ write: () => {} })
      setTimeout(() => stuck.destroy(), 20)
      await assert.rejects(source.writeTo(stuck, { start: 0, end: 4_999_999 }))
      await assert.rejects(store.openSource('ad-nothing'), { code: 'ENOENT' })
    })

    it('stores an empty blob', async () => {
      await keep('bb-empty', Buffer.alloc(0))
      assert.equal((await buffer(await store.read('bb-empty'))).length, 0)
    })

    it('consumes the staged file', async () => {
      const staged = await staging.write(Buffer.from('once'))
      await store.keep(staged, 'cc-once')
      await assert.rejects(readFile(staged.path), { code: 'ENOENT' })
    })

    it('opens a blob as a local file', async () => {
      const bytes = Buffer.from('seek in me')
      await keep('dd-local', bytes)
      await using local = await store.open('dd-local')
      assert.ok((await readFile(local.path)).equals(bytes))
    })

    it('rejects with ENOENT for a missing blob', async () => {
      await assert.rejects(store.read('ee-nothing'), { code: 'ENOENT' })
      await assert.rejects(store.open('ee-nothing'), { code: 'ENOENT' })
      assert.equal(await store.remove('ee-nothing'), false)
    })

    it('lists its blobs and no longer lists removed ones', async () => {
      const before = await listKeys()
      await keep('ff-short-lived', Buffer.from('gone soon'))
      assert.deepEqual(await listKeys(), [...before, 'ff-short-lived'].sort())
      assert.equal(await store.remove('ff-short-lived'), true)
      assert.deepEqual(await listKeys(), before)
    })

    it('stores many blobs concurrently', async () => {
      const keys = Array.from({ length: 40 }, (_, index) => createHash('sha256').update(`${index}`).digest('hex'))
      await Promise.all(keys.map((key) => keep(key, Buffer.from(key))))
      for (const key of keys) assert.equal((await buffer(await store.read(key))).toString(), key)
    })

    it('keeps the saved ranges of a part, and lists the blobs that they are in', async () => {
      const before = await listKeys()
      const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 11) % 241))
      const saved: { start: number; size: number; key: string; position: number }[] = []
      let path: string
      {
        await using part = await store.createPart()
        assert.ok(part.maxRange >= bytes.length)
        path = part.path
        await writeFile(path, bytes, { flag: 'wx' })
        for (const [start, size] of [
          [0, 100_000],
          [100_000, 199_999],
          [299_999, 1],
        ] as const) {
          saved.push({ start, size, ...(await part.save(start, size)) })
        }
      }
      for (const { start, size, key, position } of saved) {
        const range = await buffer(await store.read(key, { start: position, end: position + size - 1 }))
        assert.ok(range.equals(bytes.subarray(start, start + size)))
      }
      const keys = [...new Set(saved.map(({ key }) => key))]
      assert.deepEqual(await listKeys(), [...before, ...keys].sort())
      // The local file is gone, unless it is the blob itself.
      const isBlob = keys.some((key) => path.endsWith(key))
      assert.equal(existsSync(path), isBlob)
      for (const key of keys) assert.equal(await store.remove(key), true)
      assert.deepEqual(await listKeys(), before)
      assert.equal(existsSync(path), false)
    })

    it('keeps nothing of a part that was not saved', async () => {
      const before = await listKeys()
      let path: string
      {
        await using part = await store.createPart()
        path = part.path
        await writeFile(path, 'lost')
      }
      assert.equal(existsSync(path), false)
      assert.deepEqual(await listKeys(), before)
      {
        await using _unused = await store.createPart()
      }
      assert.deepEqual(await listKeys(), before)
    })

    it('passes its readiness check', async () => {
      await store.check()
    })
  })
}
