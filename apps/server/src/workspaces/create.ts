import type { Db } from '../db/open.ts'
import { addMember } from '../members/add.ts'
import { insertWorkspace } from './store.ts'
import { day } from './workspace.ts'

const defaultLinkLifetime = 90 * day

export async function createWorkspace(db: Db, name: string): Promise<number> {
  return insertWorkspace(db, { name, link_lifetime_ms: defaultLinkLifetime, created_at: Date.now() })
}

/** Creates a workspace with the account as its administrator. */
export async function createWorkspaceOf(trx: Db, accountId: number, name: string): Promise<number> {
  const workspaceId = await createWorkspace(trx, name)
  await addMember(trx, workspaceId, accountId, 'admin')
  return workspaceId
}
