import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

export const overviewQuery = (applicationId: number) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'overview'],
    queryFn: () => client.applications.getOverview(applicationId),
  })
