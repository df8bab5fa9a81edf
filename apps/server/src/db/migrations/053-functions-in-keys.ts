import { type Kysely, sql } from 'kysely'

/**
 * Reads all stacks again, because keys of groups now have the functions of minified JavaScript by their names in the
 * source. Stacks whose key stays as it was stay in their group.
 */
export async function addFunctionsToKeys(db: Kysely<unknown>): Promise<void> {
  await sql`update crash_stacks set is_stale = is_stale + 1`.execute(db)
}
