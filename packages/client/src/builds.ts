import type {
  Branch,
  Build,
  BuildCommits,
  BuildComparison,
  BuildTester,
  BuildFacts,
  Commit,
  DistributeBuild,
  InstallStatistics,
  ListBuilds,
  Reminded,
  RemindTesters,
  ReplaceCommits,
} from '@fairlead/contract'
import { type Binary, getBinary, openBinary, type OpenBinaryOptions } from './binary.ts'
import { type CallOptions, type Connection, parseJson } from './connection.ts'
import { toContentDisposition, toHeaderText } from './header-text.ts'
import { type Paging, requestPage } from './page.ts'
import { createRandomKey } from './random-key.ts'
import { RequestError } from './request-error.ts'
import { uploadResumably } from './resumable-upload.ts'
import { findFileName, type UploadProgress } from './transport/transport.ts'
import { upload, type UploadOptions } from './upload.ts'
import { UploadAborted } from './upload-aborted.ts'

export interface BuildUpload extends UploadOptions {
  /**
   * The alias of the application that the build is for. Null creates the application from the file, unless there is one
   * with its identifier.
   */
  alias: string | null
  /** The name to store the file under. Default: the last part of the path, or the name of the File. */
  fileName?: string | undefined
  source?: { branch?: string | undefined; commit?: string | undefined; ciUrl?: string | undefined } | undefined
  /** A retry with the same key gets the first answer. Default: a random key for this call and its retries. */
  idempotencyKey?: string | undefined
}

type Filter = Omit<ListBuilds, 'limit' | 'cursor'>

export function buildsOf(connection: Connection) {
  const { request, send } = connection
  return {
    list: (applicationId: number, filter: Filter = {}, options?: CallOptions) =>
      request<Build[]>('GET', `/v1/applications/${applicationId}/builds`, { query: filter, ...options }),
    listPage: (applicationId: number, query: Filter & Paging, options?: CallOptions) =>
      requestPage<Build>(connection, `/v1/applications/${applicationId}/builds`, query, options),
    listBranches: (applicationId: number, options?: CallOptions) =>
      request<Branch[]>('GET', `/v1/applications/${applicationId}/branches`, options),
    /** Verdict, crashes and change of size of up to 50 builds. */
    listFacts: (applicationId: number, ids: readonly number[], options?: CallOptions) =>
      request<BuildFacts[]>('GET', `/v1/applications/${applicationId}/buildFacts`, {
        query: { ids: ids.join(',') },
        ...options,
      }),
    get: (id: number, options?: CallOptions) => request<Build>('GET', `/v1/builds/${id}`, options),
    /**
     * Rejects with the reason of an aborted signal if there is no build, and with `UploadAborted` if the server had
     * every byte before the signal and made one, or may have.
     */
    upload: (build: BuildUpload): Promise<Build> => uploadBuild(connection, build),
    /** Markdown; null clears the notes. */
    setReleaseNotes: (id: number, releaseNotes: string | null, options?: CallOptions) =>
      request<Build>('PATCH', `/v2/builds/${id}`, { body: { releaseNotes }, ...options }),
    /** Repeated after a lost answer only if it notifies nobody, because testers would get a second mail. */
    distribute: (id: number, body: DistributeBuild, options?: CallOptions) =>
      send('POST', `/v1/builds/${id}/distribute`, { body, isRepeatable: body.notifyTesters !== true, ...options }),
    /** Takes a build back from a group. Install links that its testers already have keep working. */
    withdraw: (id: number, groupId: number, options?: CallOptions) =>
      send('DELETE', `/v1/builds/${id}/distributionGroups/${groupId}`, options),
    remove: (id: number, options?: CallOptions) => send('DELETE', `/v1/builds/${id}`, options),
    /** Size, name and entity tag of the binary, without its bytes. */
    getBinary: (id: number, options?: CallOptions): Promise<Binary> => getBinary(connection, id, options),
    /** Starts the download of the binary, or of its bytes from `start` on. */
    openBinary: (id: number, options?: OpenBinaryOptions) => openBinary(connection, id, options),
    /** Replaces the commits that came with a build, newest first. */
    replaceCommits: (id: number, commits: ReplaceCommits, options?: CallOptions) =>
      request<BuildCommits>('PUT', `/v1/builds/${id}/commits`, { body: commits, ...options }),
    listCommits: (id: number, options?: CallOptions) => request<Commit[]>('GET', `/v1/builds/${id}/commits`, options),
    /** Compares a build with an older one, the one before unless given. */
    compare: (id: number, baseBuildId?: number, options?: CallOptions) =>
      request<BuildComparison>('GET', `/v1/builds/${id}/comparison`, { query: { baseBuildId }, ...options }),
    listTesters: (id: number, options?: CallOptions) =>
      request<BuildTester[]>('GET', `/v1/builds/${id}/testers`, options),
    /** Sends testers the mail about the build again: once a day each, three times in all. */
    remindTesters: (id: number, body: RemindTesters, options?: CallOptions) =>
      request<Reminded>('POST', `/v1/builds/${id}/remind`, { body, ...options }),
    getInstalls: (id: number, days: number, options?: CallOptions) =>
      request<InstallStatistics>('GET', `/v1/builds/${id}/installs`, { query: { days }, ...options }),
  }
}

/** Smaller files are sent by one request, because sending them again after a broken connection costs little. */
const smallestResumable = 16 * 2 ** 20

async function uploadBuild(connection: Connection, build: BuildUpload): Promise<Build> {
  const { signal, onProgress } = build
  let wasSent = false
  const watched = (progress: UploadProgress) => {
    wasSent ||= progress.sent >= progress.total
    onProgress?.(progress)
  }
  try {
    const made = parseJson<Build>(201, await sendBuild(connection, { ...build, onProgress: watched }))
    if (signal?.aborted !== true) return made
    throw new UploadAborted({ build: made, isUncertain: false }, signal.reason)
  } catch (error) {
    if (signal?.aborted !== true || error instanceof UploadAborted) throw error
    // An answer that refuses the file came after the signal: there is no build.
    const isRefused = error instanceof RequestError && error.httpStatus >= 400 && error.httpStatus < 500
    if (!wasSent || isRefused) throw signal.reason
    throw new UploadAborted({ build: null, isUncertain: true }, signal.reason)
  }
}

async function sendBuild(connection: Connection, build: BuildUpload): Promise<string> {
  const headers = toUploadHeaders(build)
  if (build.alias === null) {
    return upload(connection, '/v1/applications/fromFile', build, headers, connection.uploadRetryMs)
  }
  const size = await connection.measure(build.file)
  if (size === undefined || size < smallestResumable) {
    return upload(connection, '/v2/builds', build, headers, connection.uploadRetryMs)
  }
  return uploadResumably(connection, { ...build, size }, headers)
}

function toUploadHeaders({ alias, file, fileName = findFileName(file), source = {}, idempotencyKey }: BuildUpload) {
  const headers = {
    'X-Service-Application-Alias': alias ?? '',
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': fileName && toContentDisposition(fileName),
    'X-Service-Branch': source.branch && toHeaderText(source.branch),
    'X-Service-Commit': source.commit && toHeaderText(source.commit),
    'X-Service-CI-Url': source.ciUrl && toHeaderText(source.ciUrl),
    'Idempotency-Key': idempotencyKey ?? createRandomKey(),
  }
  return Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => Boolean(entry[1])))
}
