import { type Kysely, sql } from 'kysely'

/**
 * Attachments belong to an attempt of their case, if the report says so. A run whose failures moved to other groups is
 * marked until it is judged again, and each of them keeps the group in which it was judged.
 */
export async function addAttemptsAndMovedGroups(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('test_attachments').addColumn('attempt', 'integer').execute()
  await db.schema
    .alterTable('test_runs')
    .addColumn('has_moved', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`create index test_runs_by_has_moved on test_runs (application_id) where has_moved > 0`.execute(db)
  await sql`create index test_runs_by_base_run_id on test_runs (base_run_id) where base_run_id is not null`.execute(db)
  await db.schema.alterTable('test_failures').addColumn('judged_group_id', 'bigint').execute()
}
