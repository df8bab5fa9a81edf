import type { Db } from '../db/open.ts'
import type { InvitationRow } from './invitation.ts'

/** Returns the invitations that can still be accepted. */
export async function listInvitations(db: Db, workspaceId: number): Promise<InvitationRow[]> {
  return db
    .selectFrom('invitations')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('expires_at', '>', Date.now())
    .orderBy('id', 'desc')
    .execute()
}

/** Returns whether the invitation existed. */
export async function deleteInvitation(db: Db, workspaceId: number, id: number): Promise<boolean> {
  const deleted = await db
    .deleteFrom('invitations')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}
