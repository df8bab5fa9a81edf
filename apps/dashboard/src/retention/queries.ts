import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { RetentionRun, SaveRetention } from '@fairlead/contract'
import { client } from '../api/client.ts'

export const retentionQuery = (applicationId: number) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'retention'],
    queryFn: () => client.retention.get(applicationId),
  })

/**
 * The dry run of rules that are being edited. The last one is shown until the next is there. It judges all builds, so
 * that it waits for the end of a run instead of following it.
 */
export const previewQuery = (applicationId: number, rules: SaveRetention, runs: readonly RetentionRun[]) =>
  queryOptions({
    queryKey: [
      'applications',
      applicationId,
      'retention-preview',
      rules,
      sumUp(runs.filter(({ state }) => state !== 'running')),
    ],
    queryFn: () => client.retention.preview(applicationId, rules),
    placeholderData: keepPreviousData,
  })

/** While a run is under way, the list is read again every second. */
export const runsQuery = (applicationId: number) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'retention-runs'],
    queryFn: () => client.retention.listRuns(applicationId),
    refetchInterval: ({ state: { data } }) => (data?.some(({ state }) => state === 'running') === true ? 1000 : false),
  })

export const trashQuery = (applicationId: number, runs: readonly RetentionRun[]) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'trash', sumUp(runs)],
    queryFn: () => client.retention.listTrashPage(applicationId, { limit: 50 }),
    placeholderData: keepPreviousData,
  })

/** How far the runs are. As a part of a key, it has what depends on them read again when they have moved builds. */
function sumUp(runs: readonly RetentionRun[]): string {
  return runs.map(({ state, trashedCount, restoredCount }) => `${state} ${trashedCount} ${restoredCount}`).join()
}
