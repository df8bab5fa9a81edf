import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

export const applicationsQuery = queryOptions({
  queryKey: ['applications'],
  queryFn: () => client.applications.list(),
})

export const applicationQuery = (id: number) =>
  queryOptions({ queryKey: ['applications', id], queryFn: () => client.applications.get(id) })
