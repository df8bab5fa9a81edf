import type { CreateInvitation, Invitation, Member, Role } from '@fairlead/contract'
import type { Connection } from './connection.ts'

/** Who belongs to the workspace, and who is invited to. */
export function membersOf({ request, send }: Connection) {
  return {
    list: () => request<Member[]>('GET', '/v1/members'),
    setRole: (accountId: number, role: Role) =>
      request<Member>('PATCH', `/v1/members/${accountId}`, { body: { role } }),
    remove: (accountId: number) => send('DELETE', `/v1/members/${accountId}`),
    listInvitations: () => request<Invitation[]>('GET', '/v1/invitations'),
    invite: (body: CreateInvitation) => request<Invitation>('POST', '/v1/invitations', { body }),
    withdrawInvitation: (id: number) => send('DELETE', `/v1/invitations/${id}`),
  }
}
