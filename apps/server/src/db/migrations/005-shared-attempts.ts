import type { Kysely } from 'kysely'

/** Adds the counts of the rate limiters, which replicas share. */
export async function addSharedAttempts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('attempts')
    .addColumn('key_hash', 'text', (column) => column.primaryKey())
    .addColumn('attempts', 'bigint', (column) => column.notNull())
    .addColumn('ends_at', 'bigint', (column) => column.notNull())
    .execute()
}
