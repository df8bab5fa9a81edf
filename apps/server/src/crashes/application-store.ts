import type { Db } from '../db/open.ts'
import type { SymbolsOwner } from './find-symbols.ts'

/** The part of an application that its crashes are read by. */
export async function findApplicationOfCrashes(
  db: Db,
  id: number,
): Promise<(SymbolsOwner & { workspaceId: number; name: string }) | undefined> {
  return db
    .selectFrom('applications')
    .select(['id', 'platform', 'name', 'workspace_id as workspaceId'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Lists those of these applications that exist, in the order of their ids. */
export async function listExistingApplications(db: Db, ids: number[]): Promise<number[]> {
  const rows = await db.selectFrom('applications').select('id').where('id', 'in', ids).orderBy('id').execute()
  return rows.map(({ id }) => id)
}
