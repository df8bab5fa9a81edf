import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { LocalCache } from './local-cache.ts'

describe('copies of remote blobs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fairlead-cache-'))
  after(() => rm(folder, { recursive: true, force: true }))

  /** A cache of 100 bytes over blobs of 40; `fetched` lists the keys in the order of their downloads. */
  async function openCache() {
    const fetched: string[] = []
    const path = join(folder, 'copies')
    const cache = await LocalCache.open(path, {
      maxBytes: 100,
      async fetch(key, copy) {
        fetched.push(key)
        await writeFile(copy, key.padEnd(40))
        if (key === 'broken') throw new Error('the connection broke')
        return 40
      },
    })
    const touch = async (key: string) => {
      await using copy = await cache.use(key)
      return (await readFile(copy.path, 'utf8')).trim()
    }
    return { cache, fetched, path, touch }
  }

  it('fetches a blob once however many readers ask for it at the same time', async () => {
    const { fetched, touch } = await openCache()
    assert.deepEqual(await Promise.all([touch('a'), touch('a'), touch('b'), touch('a')]), ['a', 'a', 'b', 'a'])
    assert.deepEqual(fetched, ['a', 'b'])
  })

  it('removes the copy that was used longest ago when there is no room', async () => {
    const { cache, fetched, touch } = await openCache()
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await touch(key)
    assert.deepEqual(fetched, ['a', 'b', 'c', 'b'])
    assert.equal(cache.size, 80)
  })

  it('never removes a copy that somebody reads', async () => {
    const { cache, path } = await openCache()
    const open = await Promise.all(['a', 'b', 'c', 'd'].map((key) => cache.use(key)))
    assert.ok(open.every((copy) => existsSync(copy.path)))
    assert.equal(cache.size, 160)
    for (const copy of open) await copy[Symbol.asyncDispose]()
    assert.equal(cache.size, 80)
    assert.equal((await readdir(path)).length, 2)
  })

  it('keeps no copy of a download that failed, and tries again at the next request', async () => {
    const { cache, fetched, path } = await openCache()
    await assert.rejects(cache.use('broken'), /connection broke/)
    await assert.rejects(cache.use('broken'), /connection broke/)
    assert.deepEqual(fetched, ['broken', 'broken'])
    assert.deepEqual(await readdir(path), [])
    assert.equal(cache.size, 0)
  })

  it('gives many concurrent readers the right bytes although their copies do not all fit', async () => {
    const { cache, touch } = await openCache()
    const keys = Array.from({ length: 200 }, (_, index) => `key-${(index * 7) % 11}`)
    assert.deepEqual(await Promise.all(keys.map(touch)), keys)
    assert.ok(cache.size <= 100)
  })

  it('forgets a blob that was deleted', async () => {
    const { cache, fetched, touch } = await openCache()
    await touch('a')
    await cache.forget('a')
    assert.equal(cache.size, 0)
    await touch('a')
    assert.deepEqual(fetched, ['a', 'a'])
  })

  it('starts empty in a folder that an earlier process filled', async () => {
    const { path, touch } = await openCache()
    await touch('a')
    await LocalCache.open(path, { maxBytes: 100, fetch: () => Promise.reject(new Error('not asked')) })
    assert.deepEqual(await readdir(path), [])
  })
})
