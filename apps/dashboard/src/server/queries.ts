import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

export const serverAccountsQuery = queryOptions({
  queryKey: ['server-accounts'],
  queryFn: () => client.security.listServerAccounts(),
})

export const serverWorkspacesQuery = queryOptions({
  queryKey: ['server-workspaces'],
  queryFn: () => client.security.listServerWorkspaces(),
})
