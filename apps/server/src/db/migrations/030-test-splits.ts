import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { createTableBuilder, of, required } from '../table-builder.ts'

/** Adds the durations that all shards of one pipeline deal their test files by. */
export async function addTestSplits(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { withId, index } = createTableBuilder(db, engine)
  await withId('test_splits')
    .addColumn('workspace_id', 'bigint', of('workspaces.id'))
    .addColumn('application_id', 'bigint', of('applications.id'))
    .addColumn('run_key', 'text', required)
    .addColumn('durations', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addUniqueConstraint('test_splits_key', ['application_id', 'run_key'])
    .execute()
  await index('test_splits', ['workspace_id']).execute()
  await index('test_splits', ['created_at']).execute()
}
