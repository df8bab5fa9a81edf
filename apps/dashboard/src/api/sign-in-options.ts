import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'

export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: () => client.access.getSignInOptions(),
})
