import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { createTableBuilder, of, required } from '../table-builder.ts'

/**
 * Adds what the overview of an application answers from: its sessions by day, and indexes in whose order the worst new
 * groups, the releases with most sessions, failing and flaky tests are found. Lists of crash groups get an index for
 * each of their orders.
 */
export async function addOverviews(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, index } = createTableBuilder(db, engine)
  await table('session_totals')
    .addColumn('application_id', 'bigint', of('applications.id'))
    .addColumn('environment', 'text', required)
    .addColumn('day', 'bigint', required)
    .addColumn('started_count', 'bigint', required)
    .addColumn('crashed_count', 'bigint', required)
    .addPrimaryKeyConstraint('session_totals_key', ['application_id', 'environment', 'day'])
    .execute()
  await sql`
    insert into session_totals (application_id, environment, day, started_count, crashed_count)
    select session_days.application_id, releases.environment, session_days.day,
      cast(sum(started_count) as bigint), cast(sum(crashed_count) as bigint)
    from session_days join releases on releases.id = session_days.release_id
    group by session_days.application_id, releases.environment, session_days.day
  `.execute(db)
  await index('session_days', ['application_id', 'day', 'started_count']).execute()

  // Days since 1970, as `toDay` counts them.
  await sql`
    create index crash_groups_by_first_day
    on crash_groups (application_id, status, (first_seen_at / 86400000), crash_count)
  `.execute(db)
  for (const order of ['crash_count', 'install_count', 'first_seen_at']) {
    await index('crash_groups', ['application_id', order, 'id']).execute()
  }
  await sql`
    create index crash_waits_missing on crash_waits (application_id, stack_id) where is_found = 0 and is_needed = 1
  `.execute(db)

  await db.schema.dropIndex('tests_by_application_id_default_outcome').execute()
  await index('tests', ['application_id', 'default_outcome', 'id']).execute()
  await db.schema.dropIndex('tests_by_application_id_flake_state').execute()
  await index('tests', ['application_id', 'flake_state', 'last_flip_at']).execute()
}
