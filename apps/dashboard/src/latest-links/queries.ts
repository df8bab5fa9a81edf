import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

export const latestLinksQuery = (applicationId: number) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'latest-links'],
    queryFn: () => client.latestLinks.list(applicationId),
  })
