import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { createTableBuilder, maybe, of, required, zero } from '../table-builder.ts'

/** Adds rules that move old builds to a trash, the runs that do so, and pins that keep builds from it. */
export async function addRetention(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { withId, table, index } = createTableBuilder(db, engine)
  const add = (on: string) => db.schema.alterTable(on)

  await table('retentions')
    .addColumn('application_id', 'bigint', (column) => of('applications.id')(column).primaryKey())
    .addColumn('workspace_id', 'bigint', of('workspaces.id'))
    .addColumn('is_enabled', 'bigint', zero)
    .addColumn('rules', 'text')
    .addColumn('keep_distributed_days', 'bigint', required)
    .addColumn('quiet_branch_days', 'bigint')
    .addColumn('next_run_at', 'bigint')
    .execute()
  await index('retentions', ['workspace_id']).execute()

  await withId('retention_runs')
    .addColumn('workspace_id', 'bigint', of('workspaces.id'))
    .addColumn('application_id', 'bigint', of('applications.id'))
    .addColumn('trigger', 'text', required)
    .addColumn('state', 'text', required)
    .addColumn('settings', 'text', required)
    .addColumn('is_judged', 'bigint', zero)
    .addColumn('position', 'bigint', zero)
    .addColumn('candidate_count', 'bigint', zero)
    .addColumn('trashed_count', 'bigint', zero)
    .addColumn('spared_count', 'bigint', zero)
    .addColumn('trashed_bytes', 'bigint', zero)
    .addColumn('restored_count', 'bigint', zero)
    .addColumn('started_at', 'bigint', required)
    .addColumn('finished_at', 'bigint')
    .execute()
  await index('retention_runs', ['application_id', 'id']).execute()
  await index('retention_runs', ['workspace_id', 'finished_at']).execute()
  // Two runs of one application at a time would count each other's builds.
  await sql`create unique index retention_runs_running on retention_runs (application_id)
    where state = 'running'`.execute(db)

  await table('retention_lines')
    .addColumn('run_id', 'bigint', of('retention_runs.id'))
    .addColumn('build_id', 'bigint', required)
    .addColumn('short_version', 'text', required)
    .addColumn('version', 'text', required)
    .addColumn('branch', 'text')
    .addColumn('size', 'bigint', required)
    .addColumn('rule', 'bigint', required)
    .addColumn('state', 'text', required)
    .addPrimaryKeyConstraint('retention_lines_key', ['run_id', 'build_id'])
    .execute()

  await add('builds').addColumn('pinned_at', 'bigint').execute()
  await add('builds').addColumn('trashed_at', 'bigint').execute()
  await add('builds').addColumn('retention_run_id', 'bigint', maybe('retention_runs.id')).execute()
  await add('workspaces').addColumn('retention_changed_at', 'bigint').execute()
  await add('workspaces').addColumn('retention_told_at', 'bigint').execute()

  // Lists read the builds that are not in the trash, so a full trash costs them nothing.
  const bytewise = engine === 'sqlite' ? sql`` : sql`collate "C"`
  const replace = async (name: string, columns: ReturnType<typeof sql>) => {
    await sql`drop index ${sql.ref(name)}`.execute(db)
    await sql`create index ${sql.ref(name)} on builds (${columns}) where trashed_at is null`.execute(db)
  }
  await replace('builds_by_application_id_id', sql`application_id, id`)
  await replace('builds_by_version', sql`application_id, version, id`)
  await replace('builds_by_short_version', sql`application_id, short_version, id`)
  await replace('builds_by_source_branch', sql`application_id, source_branch ${bytewise}, id`)
  // Serves the trash, and the deletion of an application with all of its builds.
  await index('builds', ['application_id', 'trashed_at', 'id']).execute()
  await sql`create index builds_in_trash on builds (trashed_at) where trashed_at is not null`.execute(db)
  await sql`create index builds_by_retention_run_id on builds (retention_run_id)
    where retention_run_id is not null`.execute(db)
}
