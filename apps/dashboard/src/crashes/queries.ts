import type { CrashGroupStatus } from '@fairlead/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

/** A list shows this many groups; a search finds the others. */
const maxGroups = 100

export const crashGroupsQuery = (applicationId: number, search: CrashGroupsSearch) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'crashGroups', search],
    queryFn: () => {
      const { build: buildId, status = buildId === undefined ? 'open' : undefined, q } = search
      return client.crashes.listGroups(applicationId, { status, q, buildId, limit: maxGroups })
    },
  })

export const crashGroupQuery = (id: number) =>
  queryOptions({ queryKey: ['crashGroups', id], queryFn: () => client.crashes.getGroup(id) })

export const crashStatisticsQuery = (id: number) =>
  queryOptions({ queryKey: ['crashGroups', id, 'statistics'], queryFn: () => client.crashes.getStatistics(id) })

/** Loads the newest crashes of a group. */
export const groupCrashesQuery = (id: number) =>
  queryOptions({ queryKey: ['crashGroups', id, 'crashes'], queryFn: () => client.crashes.listNewest(id) })

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

export const stabilityQuery = (applicationId: number) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'stability'],
    queryFn: () => client.crashes.listStability(applicationId),
  })

/** The filters in the URL of the list of groups. Without a status, open groups are listed. */
export interface CrashGroupsSearch {
  status?: CrashGroupStatus | undefined
  q?: string | undefined
  /** The id of a build: only crashes of its release are listed. */
  build?: number | undefined
}

export function readCrashGroupsSearch({ status, q, build }: Record<string, unknown>): CrashGroupsSearch {
  return {
    status: status === 'resolved' || status === 'ignored' ? status : undefined,
    q: typeof q === 'string' && q !== '' ? q.slice(0, 200) : undefined,
    build: typeof build === 'number' && Number.isSafeInteger(build) && build > 0 ? build : undefined,
  }
}
