import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { listCrashGroups } from '../early/requests.ts'
import type { CrashGroupsSearch } from '../early/crash-groups-search.ts'

/** Loads the groups that match the filters, page by page. */
export const crashGroupsQuery = (applicationId: number, search: CrashGroupsSearch) =>
  infiniteQueryOptions({
    queryKey: ['applications', applicationId, 'crashGroups', search],
    queryFn: ({ pageParam }) => listCrashGroups(client, applicationId, search, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

export const crashGroupQuery = (id: number) =>
  queryOptions({ queryKey: ['crashGroups', id], queryFn: () => client.crashes.getGroup(id) })

export const crashStatisticsQuery = (id: number) =>
  queryOptions({ queryKey: ['crashGroups', id, 'statistics'], queryFn: () => client.crashes.getStatistics(id) })

/** Loads the crashes of a group, newest first. */
export const groupCrashesQuery = (id: number) =>
  infiniteQueryOptions({
    queryKey: ['crashGroups', id, 'crashes'],
    queryFn: ({ pageParam }) => client.crashes.listPage(id, { limit: 50, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

/** The newest crashes of a group on a day in UTC. */
export const dayCrashesQuery = (id: number, date: string) =>
  queryOptions({
    queryKey: ['crashGroups', id, 'crashes', date],
    queryFn: () => client.crashes.listNewest(id, 100, date),
  })

export const crashQuery = (id: number) =>
  queryOptions({ queryKey: ['crashes', id], queryFn: () => client.crashes.get(id) })

export const crashKeysQuery = (applicationId: number) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'crashKeys'],
    queryFn: () => client.crashes.listKeys(applicationId),
  })

export const crashRulesQuery = (applicationId: number) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'crashRules'],
    queryFn: () => client.crashes.getRules(applicationId),
  })

export const crashIntakeQuery = (applicationId: number) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'crashIntake'],
    queryFn: () => client.crashes.getIntake(applicationId),
  })

/** Loads the groups that may be merged, those with the most crashes first. */
export const mergeableGroupsQuery = (applicationId: number, q: string) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'crashGroups', 'mergeable', q],
    queryFn: () => client.crashes.listGroups(applicationId, { q, sort: 'crashes', limit: 20 }),
    placeholderData: keepPreviousData,
  })

export const crashTestFailuresQuery = (id: number) =>
  queryOptions({
    queryKey: ['crashGroups', id, 'testFailures'],
    queryFn: () => client.crashes.listTestFailures(id),
  })

export const missingSymbolsQuery = (applicationId: number) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'missingSymbols'],
    queryFn: () => client.crashes.listMissingSymbols(applicationId),
  })

/** The symbols that crashes of one group wait for, with the counts of that group. */
export const missingSymbolsOfGroupQuery = (applicationId: number, crashGroupId: number) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'missingSymbols', { crashGroupId }],
    queryFn: () => client.crashes.listMissingSymbols(applicationId, { crashGroupId }),
  })

export const stabilityQuery = (applicationId: number) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'stability'],
    queryFn: () => client.crashes.listStability(applicationId),
  })
