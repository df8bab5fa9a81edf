import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { createMigrator } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { createPostgresPool } from '../db/postgres-pool.ts'
import type { Schema } from '../db/schema.ts'
import { createSqliteDialect } from '../db/sqlite-dialect.ts'
import { createEmptyDatabase } from '../testing/test-database.ts'

it('an upgrade reads stacks again whose keys had no source files or no functions of the source', async () => {
  await using database = await createEmptyDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'fairlead-upgrade-'))
  try {
    await createDatabaseBefore(database.url, dataDir)
    const { db } = await openDatabase({ databaseUrl: database.url, dataDir })
    const stacks = await db.selectFrom('crash_stacks').select(['hash', 'is_stale']).orderBy('id').execute()
    await db.destroy()
    assert.deepEqual(
      stacks.map(({ hash, is_stale }) => [hash, is_stale]),
      // Two migrations have asked for it. The second stack was waiting for another reason already.
      [
        ['a', 2],
        ['b', 4],
      ],
    )
  } finally {
    await rm(dataDir, { recursive: true })
  }
})

/** Creates a database as the version before left it, with two stacks. */
async function createDatabaseBefore(url: string | null, dataDir: string): Promise<void> {
  const dialect =
    url === null
      ? createSqliteDialect(new DatabaseSync(join(dataDir, 'fairlead.db'), { enableForeignKeyConstraints: true }))
      : new PostgresDialect({ pool: createPostgresPool({ connectionString: url, maxConnections: 2, timeoutMs: null }) })
  await using db = new Kysely<Schema>({ dialect })
  const { error } = await createMigrator(db, url === null ? 'sqlite' : 'postgres').migrateTo('049-same-failures')
  assert.equal(error, undefined)
  await sql`insert into workspaces (name, link_lifetime_ms, created_at) values ('First', 1000, 1)`.execute(db)
  await sql`insert into applications (workspace_id, alias, name, platform, created_at)
    values (1, 'shop', 'Shop', 'android', 1)`.execute(db)
  await sql`insert into crash_groups
    (application_id, kind, title, exception_types, key, skipped_frames, status, first_seen_at, last_seen_at, created_at)
    values (1, 'crash', 'Error', '[]', 'x', '[]', 'open', 1, 1, 1)`.execute(db)
  for (const [hash, isStale] of [['a', 0] as const, ['b', 2] as const]) {
    const bytes = Buffer.from([1])
    await sql`insert into crash_stacks
      (application_id, hash, group_id, key_hash, content, resolved, first_seen_at, last_seen_at, is_stale, created_at)
      values (1, ${hash}, 1, 'x', ${bytes}, ${bytes}, 1, 1, ${isStale}, 1)`.execute(db)
  }
}
