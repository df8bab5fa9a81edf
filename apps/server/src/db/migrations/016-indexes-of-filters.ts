import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'

/** Adds indexes for filters of lists, for counts of an hour, for claims of jobs and for what the chores delete. */
export async function addIndexesOfFilters(db: Kysely<unknown>, engine: Engine): Promise<void> {
  // The beginning of a name is a range only where names are compared byte by byte, as SQLite does.
  const bytewise = engine === 'sqlite' ? sql`` : sql`collate "C"`
  const create = (name: string, table: string, columns: ReturnType<typeof sql>) =>
    sql`create index ${sql.ref(name)} on ${sql.table(table)} (${columns})`.execute(db)

  await create('builds_by_version', 'builds', sql`application_id, version, id`)
  await create('builds_by_short_version', 'builds', sql`application_id, short_version, id`)
  await create('builds_by_source_branch', 'builds', sql`application_id, source_branch ${bytewise}, id`)
  await create('audit_events_by_action', 'audit_events', sql`workspace_id, action ${bytewise}, id`)
  await create('mails_by_workspace_id_created_at', 'mails', sql`workspace_id, created_at`)
  await create('mails_by_created_at', 'mails', sql`created_at`)
  await create('idempotency_keys_by_created_at', 'idempotency_keys', sql`created_at`)
  await create('jobs_by_created_at', 'jobs', sql`created_at`)
  await create('session_days_by_day', 'session_days', sql`application_id, day, release_id`)
  // Few jobs are claimed and few reports are arriving at a time, so these indexes hold only those.
  await sql`create index jobs_claimed on jobs (claimed_until) where claimed_until is not null`.execute(db)
  await sql`create index test_reports_arriving on test_reports (created_at) where sha256 is null`.execute(db)
  // Few mails wait, too.
  await sql`create index mails_waiting on mails (workspace_id, id) where status = 'waiting'`.execute(db)
}
