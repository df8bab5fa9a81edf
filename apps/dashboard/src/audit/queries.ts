import { infiniteQueryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

export const auditEventsQuery = (action: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['audit-events', action],
    queryFn: ({ pageParam }) => client.security.listAuditEventsPage({ action, limit: 50, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
