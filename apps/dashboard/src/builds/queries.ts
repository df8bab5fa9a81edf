import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import type { BuildsSearch } from './search.ts'

const pageSize = 50

export const buildQuery = (id: number) =>
  queryOptions({ queryKey: ['builds', id], queryFn: () => client.builds.get(id) })

/** The builds of an application that match the filters, page by page. */
export const buildsQuery = (applicationId: number, { q, branch, version, group }: BuildsSearch) =>
  infiniteQueryOptions({
    queryKey: ['applications', applicationId, 'builds', { q, branch, version, group }],
    queryFn: ({ pageParam }) =>
      client.builds.listPage(applicationId, {
        q,
        branch,
        shortVersion: version,
        distributionGroupName: group,
        limit: pageSize,
        cursor: pageParam,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

/** The newest builds of an application, to choose one from. */
export const newestBuildsQuery = (applicationId: number) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'newest-builds'],
    queryFn: async () => (await client.builds.listPage(applicationId, { limit: 50 })).items,
  })

/** The build of the same application that was uploaded just before this one; null when there is none. */
export const previousBuildQuery = (build: { id: number; applicationId: number }) =>
  queryOptions({
    queryKey: ['builds', build.id, 'previous'],
    // A cursor is an id, and the next page continues below it.
    queryFn: async () =>
      (await client.builds.listPage(build.applicationId, { limit: 1, cursor: String(build.id) })).items[0] ?? null,
  })

export const installsQuery = (id: number, days: number) =>
  queryOptions({ queryKey: ['builds', id, 'installs', days], queryFn: () => client.builds.getInstalls(id, days) })
