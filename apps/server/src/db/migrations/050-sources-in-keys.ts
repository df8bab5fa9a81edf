import { type Kysely, sql } from 'kysely'

/**
 * Reads all stacks again, because the keys of their groups now tell functions of one name by their source files.
 * Stacks whose key stays as it was stay in their group.
 */
export async function addSourcesToKeys(db: Kysely<unknown>): Promise<void> {
  await sql`update crash_stacks set is_stale = is_stale + 1`.execute(db)
}
