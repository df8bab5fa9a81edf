import type { CrashGroupStatus } from '@fairlead/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

export const crashGroupsQuery = (applicationId: number, search: CrashGroupsSearch) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'crashGroups', search],
    queryFn: () => client.crashes.listGroups(applicationId, { status: 'open', ...search }),
  })

export const crashGroupQuery = (id: number) =>
  queryOptions({ queryKey: ['crashGroups', id], queryFn: () => client.crashes.getGroup(id) })

export const crashStatisticsQuery = (id: number) =>
  queryOptions({ queryKey: ['crashGroups', id, 'statistics'], queryFn: () => client.crashes.getStatistics(id) })

/** The newest crashes of a group. */
export const groupCrashesQuery = (id: number) =>
  queryOptions({ queryKey: ['crashGroups', id, 'crashes'], queryFn: () => client.crashes.listNewest(id) })

export const crashQuery = (id: number) =>
  queryOptions({ queryKey: ['crashes', id], queryFn: () => client.crashes.get(id) })

export const crashKeysQuery = (applicationId: number) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'crashKeys'],
    queryFn: () => client.crashes.listKeys(applicationId),
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

/** The filters that the address of the list of groups holds; open groups are the default. */
export interface CrashGroupsSearch {
  status?: CrashGroupStatus | undefined
  q?: string | undefined
}

export function readCrashGroupsSearch({ status, q }: Record<string, unknown>): CrashGroupsSearch {
  return {
    status: status === 'resolved' || status === 'ignored' ? status : undefined,
    q: typeof q === 'string' && q !== '' ? q.slice(0, 200) : undefined,
  }
}
