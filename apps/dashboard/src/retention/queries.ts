import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { SaveRetention } from '@fairlead/contract'
import { client } from '../api/client.ts'

export const retentionQuery = (applicationId: number) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'retention'],
    queryFn: () => client.retention.get(applicationId),
  })

/** The dry run of rules that are being edited. The last one is shown until the next is there. */
export const previewQuery = (applicationId: number, rules: SaveRetention) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'retention-preview', rules],
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

export const trashQuery = (applicationId: number) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'trash'],
    queryFn: () => client.retention.listTrashPage(applicationId, { limit: 50 }),
  })
