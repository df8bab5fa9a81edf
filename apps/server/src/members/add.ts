import type { Role } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import { insertMember } from './store.ts'

/** Makes an account a member of a workspace. An existing member keeps their role. */
export async function addMember(trx: Db, workspaceId: number, accountId: number, role: Role): Promise<void> {
  await insertMember(trx, { workspace_id: workspaceId, account_id: accountId, role, created_at: Date.now() })
}
