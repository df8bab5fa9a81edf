import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'

/** Adds how long all cases of a run took together. Runs that were judged before have none. */
export async function addRunDurations(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema
    .alterTable('test_runs')
    .addColumn('duration_ms', engine === 'sqlite' ? 'real' : 'double precision')
    .execute()
}
