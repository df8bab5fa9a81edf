import type { Db } from '../db/open.ts'
import { transact } from '../db/transact.ts'
import { findMember, insertMember, lockMembers, updateMemberRow } from './store.ts'

/**
 * Makes an account an administrator of a workspace by hand, whoever has lost that role. It is for the operator of the
 * server: groups of a provider take roles even from the last administrator.
 *
 * @returns whether the account was a member
 */
export async function makeAdministrator(db: Db, workspaceId: number, accountId: number): Promise<boolean> {
  return transact(db, async (trx) => {
    await lockMembers(trx, workspaceId)
    const role = { role: 'admin' as const, hand_role: 'admin' as const }
    const isMember = (await findMember(trx, workspaceId, accountId)) !== undefined
    if (isMember) await updateMemberRow(trx, workspaceId, accountId, role)
    else await insertMember(trx, { workspace_id: workspaceId, account_id: accountId, ...role, created_at: Date.now() })
    return isMember
  })
}
