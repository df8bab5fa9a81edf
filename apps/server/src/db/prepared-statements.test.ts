/** Prepared statements on a real PostgreSQL. On the embedded database there is nothing to check. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { findApplication } from '../applications/store.ts'
import { listNewestRecords } from '../builds/store.ts'
import { findPageVersion } from '../builds/version-store.ts'
import { type OpenTestDatabase, openTestDatabase } from '../testing/open-test-database.ts'
import { isPostgres } from './engine.ts'
import type { Db } from './open.ts'

describe('A statement that is used again and again', () => {
  let database: OpenTestDatabase
  let db: Db

  before(async () => {
    // One connection, so that every statement meets what the ones before it have prepared.
    database = await openTestDatabase({ databaseConnections: 1 })
    db = database.db
  })
  after(() => database?.[Symbol.asyncDispose]())

  const read = (from: Db = db) => from.selectFrom('blobs').selectAll().where('id', '=', 1).execute()
  const readThrice = async () => [await read(), await read(), await read()]
  const countPrepared = async () => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from pg_prepared_statements
      where statement like '%"blobs"%'`.execute(db)
    return rows[0]?.count
  }

  it('is prepared once, and answers after a migration has added a column to its table', async () => {
    if (!isPostgres(db)) return
    await readThrice()
    assert.equal(await countPrepared(), 1)
    await sql`alter table blobs add column added_later text`.execute(db)
    assert.deepEqual(await readThrice(), [[], [], []])
    await db.transaction().execute(async (trx) => assert.deepEqual(await read(trx), []))
    await sql`alter table blobs drop column added_later`.execute(db)
  })

  it('fails a transaction that a migration has overtaken so that its client tries again, and no other', async () => {
    if (!isPostgres(db)) return
    await readThrice()
    await sql`alter table blobs add column added_later text`.execute(db)
    const transaction = db.transaction().execute((trx) => read(trx))
    await assert.rejects(transaction, { code: 'DATABASE_UNAVAILABLE' })
    await db.transaction().execute(async (trx) => assert.deepEqual(await read(trx), []))
    assert.deepEqual(await readThrice(), [[], [], []])
  })

  it('is planned once for an application with many builds, for its pages and for their versions', async () => {
    if (!isPostgres(db)) return
    await sql`set session_replication_role = replica`.execute(db)
    await sql`
      insert into builds (workspace_id, application_id, blob_id, secret, short_version, version, bundle_identifier,
        name, file_name, details, uploaded_by, uploaded_at, expires_at)
      select 1, 1, n, 'secret ' || n, '1', n, 'com.example', 'Example', 'example.apk', '{}', 'ci', n, n
      from generate_series(1, 3000) as n
    `.execute(db)
    await sql`reset session_replication_role`.execute(db)
    await sql`analyze builds`.execute(db)
    for (let turn = 0; turn < 20; turn++) {
      await findApplication(db, 1, 1)
      await listNewestRecords(db, 1, { below: 100 * turn, limit: 11 })
      await findPageVersion(db, { tokenId: 1, workspaceId: 1, applicationId: 1, below: 100 * turn, limit: 11 })
    }
    const { rows } = await sql<{ plans: number }>`
      select custom_plans as plans from pg_prepared_statements where statement like '%"builds"%'
    `.execute(db)
    // PostgreSQL plans each of the first five runs anew, to compare.
    assert.deepEqual(rows, [{ plans: 5 }, { plans: 5 }, { plans: 5 }])
  })

  it('is sent as text from then on when a pooler has lost what was prepared', async () => {
    if (!isPostgres(db)) return
    await readThrice()
    await sql`deallocate all`.execute(db)
    assert.deepEqual(await readThrice(), [[], [], []])
    assert.equal(await countPrepared(), 0)
  })
})
