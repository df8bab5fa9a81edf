import type { Db } from '../db/open.ts'
import type { SymbolsOwner } from './find-symbols.ts'
import { listOwnPackages } from './own-packages-store.ts'

export interface CrashesOwner extends SymbolsOwner {
  workspaceId: number
  name: string
  /** Its identifier, and that of the same app on the other platform. */
  identifiers: string[]
  /** The packages of own code that builds of both have named. */
  ownPackages: string[]
  keepsCustomData: boolean
}

/** The part of an application that its crashes are read by. */
export async function findApplicationOfCrashes(db: Db, id: number): Promise<CrashesOwner | undefined> {
  const row = await db
    .selectFrom('applications')
    .select(['id', 'name', 'workspace_id', 'bundle_identifier', 'linked_application_id', 'keeps_custom_data'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { linked_application_id: linkedId } = row
  const symbolsOwnerIds = linkedId === null ? [row.id] : [row.id, linkedId]
  const linked = linkedId === null ? undefined : await findIdentifier(db, linkedId)
  return {
    id: row.id,
    name: row.name,
    workspaceId: row.workspace_id,
    symbolsOwnerIds,
    identifiers: [row.bundle_identifier, linked ?? null].filter((identifier) => identifier !== null),
    ownPackages: await listOwnPackages(db, symbolsOwnerIds),
    keepsCustomData: row.keeps_custom_data === 1,
  }
}

async function findIdentifier(db: Db, id: number): Promise<string | null | undefined> {
  const row = await db.selectFrom('applications').select('bundle_identifier').where('id', '=', id).executeTakeFirst()
  return row?.bundle_identifier
}

/** Lists those of these applications that exist, in the order of their ids. */
export async function listExistingApplications(db: Db, ids: number[]): Promise<number[]> {
  const rows = await db.selectFrom('applications').select('id').where('id', 'in', ids).orderBy('id').execute()
  return rows.map(({ id }) => id)
}
