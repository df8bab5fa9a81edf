import type { Kysely } from 'kysely'

/** Adds the build id of the ELF files that stacks wait for, because it cannot be made from their debug id. */
export async function addBuildIdsOfWaits(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('crash_waits').addColumn('code_id', 'text').execute()
}
