import type { Role } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import { highestRole } from './highest-role.ts'
import { findMember, insertMember, updateMemberRow } from './store.ts'

/**
 * Makes an account a member of a workspace by hand. An existing member keeps their role, unless only groups gave it:
 * then this one is kept beside it.
 */
export async function addMember(trx: Db, workspaceId: number, accountId: number, role: Role): Promise<void> {
  const values = { workspace_id: workspaceId, account_id: accountId, role, hand_role: role, created_at: Date.now() }
  if (await insertMember(trx, values)) return
  const member = await findMember(trx, workspaceId, accountId)
  if (!member || member.hand_role !== null) return
  await updateMemberRow(trx, workspaceId, accountId, {
    hand_role: role,
    role: highestRole([role, member.role]) ?? role,
  })
}
