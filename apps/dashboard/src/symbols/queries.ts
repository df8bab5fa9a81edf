import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

export const symbolsFilesQuery = (applicationId: number) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'symbols'],
    queryFn: () => client.symbols.list(applicationId),
  })
