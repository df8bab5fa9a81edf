import type { CreateInvitation, GroupRole, GroupRoles, Invitation, Member, Role } from '@fairlead/contract'
import type { CallOptions, Connection } from './connection.ts'

/** The members and the open invitations of the workspace. */
export function membersOf({ request, send }: Connection) {
  return {
    list: (options?: CallOptions) => request<Member[]>('GET', '/v1/members', options),
    setRole: (accountId: number, role: Role, options?: CallOptions) =>
      request<Member>('PATCH', `/v1/members/${accountId}`, { body: { role }, ...options }),
    remove: (accountId: number, options?: CallOptions) => send('DELETE', `/v1/members/${accountId}`, options),
    listGroupRoles: (options?: CallOptions) => request<GroupRole[]>('GET', '/v1/groupRoles', options),
    replaceGroupRoles: (body: GroupRoles, options?: CallOptions) =>
      request<GroupRole[]>('PUT', '/v1/groupRoles', { body, ...options }),
    listInvitations: (options?: CallOptions) => request<Invitation[]>('GET', '/v1/invitations', options),
    invite: (body: CreateInvitation, options?: CallOptions) =>
      request<Invitation>('POST', '/v1/invitations', { body, ...options }),
    withdrawInvitation: (id: number, options?: CallOptions) => send('DELETE', `/v1/invitations/${id}`, options),
  }
}
