import type { Build } from '@fairlead/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { type BuildsSearch, listBuilds } from '../early/requests.ts'

export const buildQuery = (id: number) =>
  queryOptions({ queryKey: ['builds', id], queryFn: () => client.builds.get(id) })

/** Loads an application's builds that match the filters, page by page. */
export const buildsQuery = (applicationId: number, search: BuildsSearch) =>
  infiniteQueryOptions({
    queryKey: toBuildsKey(applicationId, search),
    queryFn: ({ pageParam }) => listBuilds(client, applicationId, search, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

function toBuildsKey(applicationId: number, { q, branch, version, group, sort }: BuildsSearch) {
  return ['applications', applicationId, 'builds', { q, branch, version, group, sort }] as const
}

/** Loads verdict, crashes and change of size of the builds of one page of a list. */
export const buildFactsQuery = (applicationId: number, ids: number[]) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'buildFacts', ids],
    queryFn: () => client.builds.listFacts(applicationId, ids),
    enabled: ids.length > 0,
    // The facts of a list stay while a build that is new in it asks for them anew.
    placeholderData: keepPreviousData,
  })

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

/** Loads the build that the server compares this one with, as in the list and the overview; null if there is none. */
export const previousBuildQuery = (build: { id: number; applicationId: number }) =>
  queryOptions({
    queryKey: ['builds', build.id, 'previous'],
    queryFn: async () => {
      const [facts] = await client.builds.listFacts(build.applicationId, [build.id])
      const id = facts?.previousBuildId ?? null
      return id === null ? null : client.builds.get(id)
    },
  })

export const installsQuery = (id: number, days: number) =>
  queryOptions({ queryKey: ['builds', id, 'installs', days], queryFn: () => client.builds.getInstalls(id, days) })

/** How far the testers of a build are. */
export const buildTestersQuery = (id: number) =>
  queryOptions({ queryKey: ['builds', id, 'testers'], queryFn: () => client.builds.listTesters(id) })

/** The newest crash groups of a build's release. */
export const buildCrashesQuery = (applicationId: number, buildId: number) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'crashGroups', 'build', buildId],
    queryFn: () => client.crashes.listGroups(applicationId, { buildId, limit: 5 }),
  })

/** Tells whether a mapping of an Android build's version is uploaded. */
export const mappingQuery = ({ applicationId, shortVersion, version }: Build) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'symbols'],
    queryFn: () => client.symbols.list(applicationId),
    select: (files) =>
      files.some((file) => file.kind === 'proguard' && file.version === version && file.shortVersion === shortVersion),
  })
