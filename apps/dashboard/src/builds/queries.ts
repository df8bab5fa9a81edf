import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { takeEarly } from '../early/early-answers.ts'
import { buildRequest, buildsRequest, type BuildsSearch } from '../early/requests.ts'

export const buildQuery = (id: number) =>
  queryOptions({ queryKey: ['builds', id], queryFn: () => takeEarly(buildRequest(id)) })

/** An application's builds that match the filters, page by page. */
export const buildsQuery = (applicationId: number, search: BuildsSearch) =>
  infiniteQueryOptions({
    queryKey: toBuildsKey(applicationId, search),
    queryFn: ({ pageParam }) => {
      const request = buildsRequest(applicationId, search, pageParam)
      return pageParam === undefined ? takeEarly(request) : request.ask()
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

function toBuildsKey(applicationId: number, { q, branch, version, group }: BuildsSearch) {
  return ['applications', applicationId, 'builds', { q, branch, version, group }] as const
}

/** The newest builds of an application, for choosing one. */
export const newestBuildsQuery = (applicationId: number) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'newest-builds'],
    queryFn: async () => (await client.builds.listPage(applicationId, { limit: 50 })).items,
  })

/** The build of the same application that was uploaded just before this one; null when it is the first. */
export const previousBuildQuery = (build: { id: number; applicationId: number }) =>
  queryOptions({
    queryKey: ['builds', build.id, 'previous'],
    // A cursor is the id that the next page lies below.
    queryFn: async () =>
      (await client.builds.listPage(build.applicationId, { limit: 1, cursor: String(build.id) })).items[0] ?? null,
  })

export const installsQuery = (id: number, days: number) =>
  queryOptions({ queryKey: ['builds', id, 'installs', days], queryFn: () => client.builds.getInstalls(id, days) })
