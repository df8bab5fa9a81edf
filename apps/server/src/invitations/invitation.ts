import type { Invitation } from '@fairlead/contract'
import type { Row } from '../db/schema.ts'
import { toInstant } from '../http/instant.ts'

export type InvitationRow = Row<'invitations'>

export function toInviteUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/invitation?token=${token}`
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
