import type { Role } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import { addMember } from '../members/add.ts'
import { findInvitationTo, takeInvitationsTo } from './store.ts'

/** Whether an open invitation waits for a person with this e-mail address. */
export async function hasInvitation(db: Db, email: string): Promise<boolean> {
  return (await findInvitationTo(db, email)) !== undefined
}

/**
 * Accepts all open invitations to an e-mail address, which a provider has verified. Returns the workspaces that the
 * account is a member of by them.
 */
export async function acceptInvitationsTo(
  trx: Db,
  email: string,
  accountId: number,
): Promise<{ workspaceId: number; role: Role }[]> {
  const taken = await takeInvitationsTo(trx, email)
  for (const { workspace_id: id, role } of taken) await addMember(trx, id, accountId, role)
  return taken.map(({ workspace_id: workspaceId, role }) => ({ workspaceId, role }))
}
