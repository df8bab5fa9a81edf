import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type Db, openDatabase } from './open.ts'

describe('two connections to the embedded database', () => {
  let dataDir: string
  let one: Db
  let other: Db

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'fairlead-db-'))
    one = (await openDatabase({ databaseUrl: null, dataDir })).db
    other = (await openDatabase({ databaseUrl: null, dataDir })).db
  })
  after(async () => {
    await Promise.all([one.destroy(), other.destroy()])
    await rm(dataDir, { recursive: true, force: true })
  })

  it('wait for each other to write, without holding up the event loop', async () => {
    const order: string[] = []
    const begun = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const first = one.transaction().execute(async (trx) => {
      await trx.insertInto('workspaces').values({ name: 'one', link_lifetime_ms: 1, created_at: 0 }).execute()
      begun.resolve()
      await mayEnd.promise
      order.push('first')
    })
    await begun.promise
    const writes = [
      other.updateTable('workspaces').set({ name: 'other' }).where('name', '=', 'one').executeTakeFirst(),
      other.transaction().execute(async (trx) => trx.selectFrom('workspaces').select('name').execute()),
    ].map(async (write) => {
      const result = await write
      order.push('second')
      return result
    })
    for (let turn = 0; turn < 100; turn++) await setImmediate()
    assert.deepEqual(order, [])
    mayEnd.resolve()
    await first
    const [, found] = await Promise.all(writes)
    assert.deepEqual(order, ['first', 'second', 'second'])
    assert.equal(JSON.stringify(found), '[{"name":"other"}]')
  })

  it('read what is committed, without waiting for a transaction', async () => {
    const readName = async (db: Db) => (await db.selectFrom('workspaces').select('name').executeTakeFirstOrThrow()).name
    await one.updateTable('workspaces').set({ name: 'before' }).execute()
    await one.transaction().execute(async (trx) => {
      await trx.updateTable('workspaces').set({ name: 'after' }).execute()
      assert.deepEqual([await readName(trx), await readName(one), await readName(other)], ['after', 'before', 'before'])
    })
    assert.deepEqual([await readName(one), await readName(other)], ['after', 'after'])
  })

  it('write in the order in which they were asked, whatever is read meanwhile', async () => {
    const order: string[] = []
    await Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        await one.transaction().execute(async (trx) => {
          await one.selectFrom('workspaces').select('id').execute()
          await trx.updateTable('workspaces').set({ name }).execute()
          order.push(name)
        })
      }),
    )
    assert.deepEqual(order, ['a', 'b', 'c'])
    assert.equal((await one.selectFrom('workspaces').select('name').executeTakeFirstOrThrow()).name, 'c')
  })
})
