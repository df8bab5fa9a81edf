import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

export const alertRulesQuery = (applicationId: number) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'alert-rules'],
    queryFn: () => client.alerts.listRules(applicationId),
  })

export const firedQuery = (applicationId: number) =>
  infiniteQueryOptions({
    queryKey: ['applications', applicationId, 'alerts'],
    queryFn: ({ pageParam }) => client.alerts.listFired(applicationId, { limit: 50, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
