import type {
  Build,
  PreviewRetention,
  Retention,
  RetentionPreview,
  RetentionRun,
  RetentionRunBuild,
  SaveRetention,
  TrashedBuild,
} from '@fairlead/contract'
import type { CallOptions, Connection } from './connection.ts'
import { type Paging, requestPage } from './page.ts'

/** Rules that remove old builds, their runs, and the trash. */
export function retentionOf(connection: Connection) {
  const { request, send } = connection
  return {
    get: (applicationId: number, options?: CallOptions) =>
      request<Retention>('GET', `/v1/applications/${applicationId}/retention`, options),
    save: (applicationId: number, body: SaveRetention, options?: CallOptions) =>
      request<Retention>('PUT', `/v1/applications/${applicationId}/retention`, { body, ...options }),
    /** What the given rules would remove now; without rules, those that are saved. */
    preview: (applicationId: number, body?: PreviewRetention, options?: CallOptions) =>
      request<RetentionPreview>('POST', `/v1/applications/${applicationId}/retention/preview`, {
        body: body ?? null,
        isRepeatable: true,
        ...options,
      }),
    listRuns: (applicationId: number, options?: CallOptions) =>
      request<RetentionRun[]>('GET', `/v1/applications/${applicationId}/retention/runs`, options),
    run: (applicationId: number, options?: CallOptions) =>
      request<RetentionRun>('POST', `/v1/applications/${applicationId}/retention/runs`, options),
    getRun: (id: number, options?: CallOptions) => request<RetentionRun>('GET', `/v1/retentionRuns/${id}`, options),
    listRunBuilds: (id: number, query: Paging, options?: CallOptions) =>
      requestPage<RetentionRunBuild>(connection, `/v1/retentionRuns/${id}/builds`, query, options),
    undo: (id: number, options?: CallOptions) => request<RetentionRun>('POST', `/v1/retentionRuns/${id}/undo`, options),
    listTrash: (applicationId: number, options?: CallOptions) =>
      request<TrashedBuild[]>('GET', `/v1/applications/${applicationId}/trash`, options),
    listTrashPage: (applicationId: number, query: Paging, options?: CallOptions) =>
      requestPage<TrashedBuild>(connection, `/v1/applications/${applicationId}/trash`, query, options),
    emptyTrash: (applicationId: number, options?: CallOptions) =>
      send('POST', `/v1/applications/${applicationId}/trash/empty`, options),
    restore: (buildId: number, options?: CallOptions) =>
      request<Build>('POST', `/v1/builds/${buildId}/restore`, options),
    pin: (buildId: number, options?: CallOptions) => send('PUT', `/v1/builds/${buildId}/pin`, options),
    unpin: (buildId: number, options?: CallOptions) => send('DELETE', `/v1/builds/${buildId}/pin`, options),
  }
}
