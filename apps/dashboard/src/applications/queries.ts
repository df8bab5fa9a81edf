import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

export const applicationsQuery = queryOptions({
  queryKey: ['applications'],
  queryFn: () => client.applications.list(),
})

export const applicationQuery = (id: number) =>
  queryOptions({ queryKey: ['applications', id], queryFn: () => client.applications.get(id) })

/** A line for each application, which their list shows when it is there. */
export const overviewLinesQuery = queryOptions({
  queryKey: ['applications', 'overviewLines'],
  queryFn: () => client.applications.listOverviewLines(),
})
