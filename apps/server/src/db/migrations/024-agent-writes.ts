import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { zero } from '../table-builder.ts'

/** Adds the setting by which a workspace lets coding agents write. */
export async function addAgentWrites(db: Kysely<unknown>, _engine: Engine): Promise<void> {
  await db.schema.alterTable('workspaces').addColumn('agent_writes', 'bigint', zero).execute()
}
