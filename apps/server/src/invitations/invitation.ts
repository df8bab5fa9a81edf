import { ApiError, type Invitation } from '@fairlead/contract'
import { hashSecret } from '../api-tokens/secret.ts'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { toInstant } from '../http/instant.ts'

export type InvitationRow = Row<'invitations'>

export function toInviteUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/invitation?token=${token}`
}

/** @throws {ApiError} invitationNotFound, also when the invitation has expired */
export async function requireInvitation(db: Db, token: string): Promise<InvitationRow & { workspace_name: string }> {
  const invitation = await db
    .selectFrom('invitations')
    .innerJoin('workspaces', 'workspaces.id', 'invitations.workspace_id')
    .selectAll('invitations')
    .select('workspaces.name as workspace_name')
    .where('token_hash', '=', hashSecret(token))
    .where('expires_at', '>', Date.now())
    .executeTakeFirst()
  if (!invitation) throw new ApiError('invitationNotFound')
  return invitation
}

export function toInvitation(row: InvitationRow, inviteUrl: string | null): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    createdDate: toInstant(row.created_at),
    expirationDate: toInstant(row.expires_at),
    inviteUrl,
  }
}
