import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => client.security.listSessions(),
})

export const identitiesQuery = queryOptions({
  queryKey: ['identities'],
  queryFn: () => client.security.listIdentities(),
})

export const twoFactorQuery = queryOptions({
  queryKey: ['two-factor'],
  queryFn: () => client.security.getTwoFactor(),
})
