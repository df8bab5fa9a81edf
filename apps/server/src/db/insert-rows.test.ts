import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type OpenTestDatabase, openTestDatabase } from '../testing/open-test-database.ts'
import { insertRows } from './insert-rows.ts'
import type { Db } from './open.ts'

describe('Inserting many rows', () => {
  let database: OpenTestDatabase
  let db: Db

  before(async () => {
    database = await openTestDatabase()
    db = database.db
  })
  after(() => database?.[Symbol.asyncDispose]())

  const toRow = (key: string) => ({ key, sha256: key, size: 1.5e9, reference_count: 0, created_at: 1_764_000_000_123 })
  const listKeys = async () => (await db.selectFrom('blobs').select('key').execute()).map(({ key }) => key).toSorted()

  it('stores every row as it is, whatever its texts contain, in batches of any size', async () => {
    const texts = [`'"\\`, '{"a": [null, 1]}', 'grüß 日本 🎈', '$1 ? ?1', 'line\nbreak\t', '']
    const keys = [...texts, ...Array.from({ length: 2_311 }, (_, index) => `key ${index}`)]
    const rows = await insertRows(db, 'blobs', keys.map(toRow), { returning: ['id', 'key'] })
    assert.deepEqual(await listKeys(), keys.toSorted())
    assert.deepEqual(rows.map(({ key }) => key).toSorted(), keys.toSorted())
    assert.equal(new Set(rows.map(({ id }) => id)).size, keys.length)
    const [one] = await db.selectFrom('blobs').selectAll().where('key', '=', 'key 7').execute()
    assert.deepEqual({ ...one, id: 0 }, { ...one, ...toRow('key 7'), id: 0 })
    await db.deleteFrom('blobs').execute()
  })

  it('replaces lone surrogates by U+FFFD, and leaves the text of an escape sequence alone', async () => {
    await insertRows(db, 'blobs', ['\ud800a', '\\ud800b'].map(toRow))
    assert.deepEqual(await listKeys(), ['\\ud800b', '\ufffda'].toSorted())
    await db.deleteFrom('blobs').execute()
  })

  it('returns no row for one that a conflict left out, and inserts nothing for an empty list', async () => {
    await insertRows(db, 'blobs', [toRow('known')])
    const conflict = 'on conflict do nothing'
    const options = { conflict, returning: ['key'] } as const
    const created = await insertRows(db, 'blobs', ['known', 'new'].map(toRow), options)
    assert.deepEqual(
      created.map(({ key }) => key),
      ['new'],
    )
    assert.deepEqual(await insertRows(db, 'blobs', [], options), [])
    await db.deleteFrom('blobs').execute()
  })
})
