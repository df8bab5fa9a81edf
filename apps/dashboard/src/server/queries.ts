import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

export const serverAccountsQuery = queryOptions({
  queryKey: ['server-accounts'],
  queryFn: () => client.security.listServerAccounts(),
})

export const serverProvidersQuery = queryOptions({
  queryKey: ['server-providers'],
  queryFn: () => client.security.listServerProviders(),
})

export const tokensOfAccountQuery = (id: number) =>
  queryOptions({
    queryKey: ['server-accounts', id, 'tokens'],
    queryFn: () => client.security.listTokensOfAccount(id),
  })

export const serverWorkspacesQuery = queryOptions({
  queryKey: ['server-workspaces'],
  queryFn: () => client.security.listServerWorkspaces(),
})
