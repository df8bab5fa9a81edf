import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

export const groupRolesQuery = queryOptions({
  queryKey: ['group-roles'],
  queryFn: () => client.members.listGroupRoles(),
})

export const workspaceQuery = queryOptions({ queryKey: ['workspace'], queryFn: () => client.workspace.get() })
