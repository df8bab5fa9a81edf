import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { zero } from '../table-builder.ts'

/** Keeps how many tests or failures the totals of a report announce beyond those that it holds. */
export async function addUnlistedTests(db: Kysely<unknown>, _engine: Engine): Promise<void> {
  await db.schema.alterTable('test_reports').addColumn('unlisted', 'bigint', zero).execute()
}
