import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { takeEarly } from '../early/early-answers.ts'
import { buildRequest, buildsRequest, type BuildsSearch } from '../early/requests.ts'

export const buildQuery = (id: number) =>
  queryOptions({ queryKey: ['builds', id], queryFn: () => takeEarly(buildRequest(id)) })

/** Loads an application's builds that match the filters, page by page. */
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

/** Loads the branches that an application is built from. */
export const branchesQuery = (applicationId: number) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'branches'],
    queryFn: () => client.builds.listBranches(applicationId),
  })

/** Loads the newest builds of an application, for a list to choose from. */
export const newestBuildsQuery = (applicationId: number) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'newest-builds'],
    queryFn: async () => (await client.builds.listPage(applicationId, { limit: 50 })).items,
  })

/** Loads the build that was uploaded to the application just before this one; null if there is none. */
export const previousBuildQuery = (build: { id: number; applicationId: number }) =>
  queryOptions({
    queryKey: ['builds', build.id, 'previous'],
    // A keyset cursor is the id of the last build before the page.
    queryFn: async () =>
      (await client.builds.listPage(build.applicationId, { limit: 1, cursor: String(build.id) })).items[0] ?? null,
  })

export const installsQuery = (id: number, days: number) =>
  queryOptions({ queryKey: ['builds', id, 'installs', days], queryFn: () => client.builds.getInstalls(id, days) })

/** The newest crash groups of a build's release. */
export const buildCrashesQuery = (applicationId: number, buildId: number) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'crashGroups', 'build', buildId],
    queryFn: () => client.crashes.listGroups(applicationId, { buildId, limit: 5 }),
  })
