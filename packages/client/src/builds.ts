import type { Branch, Build, DistributeBuild, InstallStatistics, ListBuilds } from '@fairlead/contract'
import type { Connection } from './connection.ts'
import { toHeaderText } from './header-text.ts'
import { type Paging, requestPage } from './page.ts'
import { upload, type UploadProgress } from './upload.ts'

export interface BuildUpload {
  /** Of the application the build is for. */
  alias: string
  file: Blob
  fileName?: string | undefined
  source?: { branch?: string | undefined; commit?: string | undefined; ciUrl?: string | undefined } | undefined
  /** A retry with the same key gets the first answer. */
  idempotencyKey?: string | undefined
  signal?: AbortSignal | undefined
  onProgress?: ((progress: UploadProgress) => void) | undefined
}

type Filter = Omit<ListBuilds, 'limit' | 'cursor'>

export function buildsOf(connection: Connection) {
  const { request, send } = connection
  return {
    list: (applicationId: number, filter: Filter = {}) =>
      request<Build[]>('GET', `/v1/applications/${applicationId}/builds`, { query: filter }),
    listPage: (applicationId: number, query: Filter & Paging) =>
      requestPage<Build>(connection, `/v1/applications/${applicationId}/builds`, query),
    listBranches: (applicationId: number) => request<Branch[]>('GET', `/v1/applications/${applicationId}/branches`),
    get: (id: number) => request<Build>('GET', `/v1/builds/${id}`),
    upload: async (build: BuildUpload): Promise<Build> =>
      JSON.parse(await upload(connection, '/v2/builds', { ...build, headers: toUploadHeaders(build) })) as Build,
    /** Markdown; null clears the notes. */
    setReleaseNotes: (id: number, releaseNotes: string | null) =>
      request<Build>('PATCH', `/v2/builds/${id}`, { body: { releaseNotes } }),
    distribute: (id: number, body: DistributeBuild) => send('POST', `/v1/builds/${id}/distribute`, { body }),
    remove: (id: number) => send('DELETE', `/v1/builds/${id}`),
    getInstalls: (id: number, days: number) =>
      request<InstallStatistics>('GET', `/v1/builds/${id}/installs`, { query: { days } }),
  }
}

function toUploadHeaders({ alias, fileName, source = {}, idempotencyKey }: BuildUpload): Record<string, string> {
  const headers = {
    'X-Service-Application-Alias': alias,
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': fileName && `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`,
    'X-Service-Branch': source.branch && toHeaderText(source.branch),
    'X-Service-Commit': source.commit && toHeaderText(source.commit),
    'X-Service-CI-Url': source.ciUrl && toHeaderText(source.ciUrl),
    'Idempotency-Key': idempotencyKey,
  }
  return Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => Boolean(entry[1])))
}
