import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'

/** Adds to test analysis: links to commits, owners by CODEOWNERS, badges, crashes of failures and retention. */
export async function addTestUpkeep(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const smallint = engine === 'sqlite' ? 'integer' : 'smallint'
  for (const column of ['commit_url', 'badge_secret']) {
    await db.schema.alterTable('applications').addColumn(column, 'text').execute()
  }
  await db.schema
    .createIndex('applications_by_badge_secret')
    .on('applications')
    .column('badge_secret')
    .unique()
    .execute()
  await db.schema
    .createTable('code_owners')
    .addColumn('application_id', engine === 'sqlite' ? 'integer' : 'bigint', (column) =>
      column.primaryKey().references('applications.id').onDelete('cascade'),
    )
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.alterTable('tests').addColumn('code_owner', 'text').execute()
  await db.schema
    .alterTable('test_runs')
    .addColumn('retention', smallint, (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createIndex('test_runs_by_retention_created_at')
    .on('test_runs')
    .columns(['retention', 'created_at'])
    .execute()
  await db.schema
    .alterTable('test_failures')
    .addColumn('trace', smallint, (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('test_failures').addColumn('crash_title', 'text').execute()
}
