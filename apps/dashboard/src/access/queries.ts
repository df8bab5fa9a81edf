import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

export const pendingLinkQuery = queryOptions({
  queryKey: ['pending-link'],
  queryFn: () => client.access.getPendingLink(),
  // Proving the account uses it up, so a refetch would only report that it is gone.
  staleTime: Number.POSITIVE_INFINITY,
})
