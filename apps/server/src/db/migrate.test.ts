import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { createFirstTables } from './migrations/001-first-tables.ts'
import { openDatabase } from './open.ts'
import { createSqliteDialect } from './sqlite-dialect.ts'

/** Creates the database as the first release left it, with one mail in it. */
async function createFirstRelease(dataDir: string): Promise<void> {
  const database = new DatabaseSync(join(dataDir, 'fairlead.db'))
  await using db = new Kysely<unknown>({ dialect: createSqliteDialect(database) })
  const migrations = { '001-first-tables': { up: (trx: Kysely<unknown>) => createFirstTables(trx, 'sqlite') } }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  assert.equal((await migrator.migrateToLatest()).error, undefined)
  database.exec(`
    insert into mails (recipient, subject, text, html, status, created_at)
    values ('ada@example.com', 'Hello', 'Hello', '<p>Hello</p>', 'waiting', 1)
  `)
}

it('a migration that fails halfway leaves nothing in the embedded database', async () => {
  const database = new DatabaseSync(':memory:')
  await using db = new Kysely<unknown>({ dialect: createSqliteDialect(database) })
  const createHalf = async (trx: Kysely<unknown>) => {
    await trx.schema.createTable('half').addColumn('id', 'integer').execute()
    throw new Error('The process is killed here.')
  }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ half: { up: createHalf } }) } })
  assert.match(String((await migrator.migrateToLatest()).error), /killed here/)
  assert.deepEqual(database.prepare("select name from sqlite_schema where name = 'half'").all(), [])
})

it('a database of the first release is brought up to date and keeps its rows', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fairlead-migrate-'))
  try {
    await createFirstRelease(dataDir)
    const { db } = await openDatabase({ databaseUrl: null, dataDir })
    try {
      const mails = await db.selectFrom('mails').select(['recipient', 'status', 'build_id']).execute()
      assert.deepEqual({ ...mails[0] }, { recipient: 'ada@example.com', status: 'waiting', build_id: null })
    } finally {
      await db.destroy()
    }
  } finally {
    await rm(dataDir, { recursive: true })
  }
})

it('every reference has an index, so that a deletion does not read the tables that may refer to its row', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fairlead-migrate-'))
  await (await openDatabase({ databaseUrl: null, dataDir })).db.destroy()
  const database = new DatabaseSync(join(dataDir, 'fairlead.db'))
  const references = database.prepare(
    `select m.name || '.' || f."from" as name from sqlite_master m join pragma_foreign_key_list(m.name) f
     where m.type = 'table' and not exists (select 1 from pragma_index_list(m.name) l
       join pragma_index_info(l.name) i where i.seqno = 0 and i.name = f."from")
     and not exists (select 1 from pragma_table_info(m.name) c where c.pk = 1 and c.name = f."from")`,
  )
  const missing = references.all().map(({ name }) => name)
  database.close()
  await rm(dataDir, { recursive: true })
  assert.deepEqual(missing, [])
})
