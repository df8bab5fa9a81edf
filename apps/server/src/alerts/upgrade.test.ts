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

const hour = 3_600_000

it('an upgrade gives applications the rules for what was mailed before, above their usual crashes', async () => {
  await using database = await createEmptyDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'fairlead-upgrade-'))
  try {
    await createDatabaseBefore(database.url, dataDir)
    const { db } = await openDatabase({ databaseUrl: database.url, dataDir })
    const rules = await db
      .selectFrom('alert_rules')
      .innerJoin('applications', 'applications.id', 'alert_rules.application_id')
      .select(['applications.alias', 'alert_rules.workspace_id', 'kind', 'roles', 'threshold', 'window_minutes'])
      .select(['cooldown_minutes', 'digest_minutes', 'is_enabled', 'is_firing', 'alert_rules.created_by'])
      .orderBy('applications.id')
      .orderBy('alert_rules.id')
      .execute()
    await db.destroy()
    const mails = '["developer","admin"]'
    const expected = (alias: string, workspaceId: number, threshold: number) => [
      [alias, workspaceId, 'newCrashGroup', mails, null, null, 1440],
      [alias, workspaceId, 'crashRegression', mails, null, null, 1440],
      [alias, workspaceId, 'crashCount', mails, threshold, 60, 1440],
      [alias, workspaceId, 'feedback', '["admin"]', null, null, 0],
    ]
    assert.deepEqual(
      rules.map((rule) => [
        rule.alias,
        rule.workspace_id,
        rule.kind,
        rule.roles,
        rule.threshold,
        rule.window_minutes,
        rule.cooldown_minutes,
      ]),
      // The busiest hour of the second had 7 + 5 crashes; what is older than a week does not count.
      [...expected('calm', 1, 20), ...expected('busy', 1, 48), ...expected('other', 2, 20)],
    )
    for (const rule of rules) {
      assert.deepEqual([rule.digest_minutes, rule.is_enabled, rule.is_firing, rule.created_by], [10, 1, 0, null])
    }
  } finally {
    await rm(dataDir, { recursive: true })
  }
})

/** Creates a database as the version before alert rules left it, with applications that crash. */
async function createDatabaseBefore(url: string | null, dataDir: string): Promise<void> {
  const dialect =
    url === null
      ? createSqliteDialect(new DatabaseSync(join(dataDir, 'fairlead.db'), { enableForeignKeyConstraints: true }))
      : new PostgresDialect({ pool: createPostgresPool({ connectionString: url, maxConnections: 2, timeoutMs: null }) })
  await using db = new Kysely<Schema>({ dialect })
  const { error } = await createMigrator(db, url === null ? 'sqlite' : 'postgres').migrateTo('033-feedback')
  assert.equal(error, undefined)
  const now = Date.now()
  for (const name of ['First', 'Second']) {
    await sql`insert into workspaces (name, link_lifetime_ms, created_at) values (${name}, 1000, ${now})`.execute(db)
  }
  for (const [alias, workspaceId] of [['calm', 1] as const, ['busy', 1] as const, ['other', 2] as const]) {
    await sql`insert into applications (workspace_id, alias, name, platform, created_at)
      values (${workspaceId}, ${alias}, ${alias}, 'android', ${now})`.execute(db)
  }
  const thisHour = Math.floor(now / hour)
  const addGroup = async (applicationId: number, hours: Record<number, number> | null, lastSeenAt = now) => {
    await sql`insert into crash_groups
      (application_id, kind, title, exception_types, key, skipped_frames, status, hours, first_seen_at, last_seen_at,
        created_at)
      values (${applicationId}, 'crash', 'Error', '[]', 'x', '[]', 'open',
        ${hours === null ? null : JSON.stringify(hours)}, ${lastSeenAt}, ${lastSeenAt}, ${now})`.execute(db)
  }
  await addGroup(1, { [thisHour]: 1 })
  await addGroup(1, null)
  await addGroup(2, { [thisHour]: 7, [thisHour - 1]: 3 })
  await addGroup(2, { [thisHour]: 5, [thisHour - 2]: 9 })
  await addGroup(3, { [thisHour - 400]: 900 }, now - 400 * hour)
}
