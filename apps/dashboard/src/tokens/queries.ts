import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

export const apiTokensQuery = queryOptions({ queryKey: ['tokens'], queryFn: () => client.apiTokens.list() })
