import type { Kysely } from 'kysely'
import { zero } from '../table-builder.ts'

/** Adds a number to applications that grows when their symbols files change. */
export async function addSymbolsVersion(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('applications').addColumn('symbols_version', 'bigint', zero).execute()
}
