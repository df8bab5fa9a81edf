import { type Kysely, sql } from 'kysely'
import { zero } from '../table-builder.ts'

/**
 * Marks the crashes that stay for as long as their groups, so that the daily deletion neither reads them nor asks for
 * their groups again. The planners use an index with a condition only where the statement has the same one.
 */
export async function addLastingCrashes(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('crashes').addColumn('is_lasting', 'bigint', zero).execute()
  await sql`create index crashes_by_age on crashes (received_at) where is_lasting = 0`.execute(db)
  await sql`create index crashes_lasting on crashes (stack_id) where is_lasting = 1`.execute(db)
}
