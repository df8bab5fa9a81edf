import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

export const membersQuery = queryOptions({ queryKey: ['members'], queryFn: () => client.members.list() })

export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: () => client.members.listInvitations(),
})
