import type { Kysely } from 'kysely'

/**
 * Keeps what tells failures of one group apart: the groups of the other failures of a case, and the lines and values
 * of a failed assertion.
 */
export async function addSameFailures(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('test_failures').addColumn('other_keys', 'text').execute()
  await db.schema.alterTable('test_failures').addColumn('assertion', 'text').execute()
}
