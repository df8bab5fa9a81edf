import type {
  ChangedCount,
  Crash,
  CrashComment,
  CrashExplanation,
  CrashGroup,
  CrashGroupQuery,
  CrashGroupStatistics,
  CrashIntake,
  CrashKey,
  CrashRules,
  CrashSummary,
  CrashTestFailure,
  CrashThread,
  DeclaredRelease,
  DiscardedGroup,
  MissingSymbols,
  MissingSymbolsQuery,
  Stability,
  UpdateCrashGroup,
  UpdateCrashGroups,
  UpdateCrashKey,
} from '@fairlead/contract'
import type { CallOptions, Connection } from './connection.ts'
import { type Paging, requestPage } from './page.ts'

/** The release that a crash report is of, where the report does not say. */
export interface ReportRelease {
  version?: string
  shortVersion?: string
}

export function crashesOf(connection: Connection) {
  const { request, send } = connection
  const ofApplication = (applicationId: number, path: string) => `/v1/applications/${applicationId}/${path}`
  return {
    listGroups: (applicationId: number, query: Omit<CrashGroupQuery, 'cursor'> = {}) =>
      request<CrashGroup[]>('GET', ofApplication(applicationId, 'crashGroups'), { query }),
    listGroupsPage: (applicationId: number, query: Omit<CrashGroupQuery, 'cursor' | 'limit'> & Paging) =>
      requestPage<CrashGroup>(connection, ofApplication(applicationId, 'crashGroups'), query),
    /** Follows the redirect of a group whose crashes moved to another. */
    getGroup: (id: number) => request<CrashGroup>('GET', `/v1/crashGroups/${id}`),
    updateGroup: (id: number, update: UpdateCrashGroup) =>
      request<CrashGroup>('PATCH', `/v1/crashGroups/${id}`, { body: update }),
    /** Changes several groups at once, by their ids or by a filter. */
    updateGroups: (applicationId: number, update: UpdateCrashGroups) =>
      request<ChangedCount>('PATCH', ofApplication(applicationId, 'crashGroups'), { body: update }),
    removeGroup: (id: number) => send('DELETE', `/v1/crashGroups/${id}`),
    listDiscardedGroups: (applicationId: number) =>
      request<DiscardedGroup[]>('GET', ofApplication(applicationId, 'discardedGroups')),
    removeDiscardedGroup: (applicationId: number, key: string) =>
      send('DELETE', ofApplication(applicationId, `discardedGroups/${key}`)),
    /** The releases that CI has announced, newest first. */
    listReleases: (applicationId: number, page: { limit?: number; cursor?: number } = {}) =>
      request<DeclaredRelease[]>('GET', ofApplication(applicationId, 'releases'), { query: page }),
    listComments: (id: number) => request<CrashComment[]>('GET', `/v1/crashGroups/${id}/comments`),
    createComment: (id: number, text: string) =>
      request<CrashComment>('POST', `/v1/crashGroups/${id}/comments`, { body: { text } }),
    listThreads: (crashId: number) => request<CrashThread[]>('GET', `/v1/crashes/${crashId}/threads`),
    /** The scrubbed report of a crash, if the server has kept it. */
    getReport: (crashId: number) => request<unknown>('GET', `/v1/crashes/${crashId}/report`),
    /** Says where the group crashes, since which build, and which commits may have caused it. */
    explain: (id: number, crashId?: number) =>
      request<CrashExplanation>('GET', `/v1/crashGroups/${id}/explanation`, { query: { crashId } }),
    getStatistics: (id: number) => request<CrashGroupStatistics>('GET', `/v1/crashGroups/${id}/statistics`),
    listCrashes: (groupId: number) => request<CrashSummary[]>('GET', `/v1/crashGroups/${groupId}/crashes`),
    /** The newest crashes of a group, of one day in UTC if it is given as `2026-11-21`. */
    listNewest: (groupId: number, limit = 50, date?: string) =>
      request<CrashSummary[]>('GET', `/v1/crashGroups/${groupId}/crashes`, { query: { limit, date } }),
    /** Reads a page of the crashes of a group, newest first. */
    listPage: (groupId: number, paging: Paging) =>
      requestPage<CrashSummary>(connection, `/v1/crashGroups/${groupId}/crashes`, paging),
    /** The newest test failures that have the exception and the frame of the group. */
    listTestFailures: (groupId: number) =>
      request<CrashTestFailure[]>('GET', `/v1/crashGroups/${groupId}/testFailures`),
    mergeGroups: (id: number, groupIds: number[]) =>
      request<CrashGroup>('POST', `/v1/crashGroups/${id}/merge`, { body: { groupIds } }),
    splitGroup: (id: number, stackIds: number[]) =>
      request<CrashGroup>('POST', `/v1/crashGroups/${id}/split`, { body: { stackIds } }),
    get: (id: number) => request<Crash>('GET', `/v1/crashes/${id}`),
    getIntake: (applicationId: number) => request<CrashIntake>('GET', ofApplication(applicationId, 'crashIntake')),
    listStability: (applicationId: number, query: { version?: string } = {}) =>
      request<Stability[]>('GET', ofApplication(applicationId, 'stability'), { query }),
    /** The symbols that crashes wait for, of the application or of one group. */
    listMissingSymbols: (applicationId: number, query: MissingSymbolsQuery = {}) =>
      request<MissingSymbols[]>('GET', ofApplication(applicationId, 'missingSymbols'), { query }),
    /** Reads a page of the symbols that crashes wait for, those that most crashes wait for first. */
    listMissingSymbolsPage: (applicationId: number, paging: Paging, options?: CallOptions) =>
      requestPage<MissingSymbols>(connection, ofApplication(applicationId, 'missingSymbols'), paging, options),
    getRules: (applicationId: number) => request<CrashRules>('GET', ofApplication(applicationId, 'crashRules')),
    replaceRules: (applicationId: number, rules: CrashRules) =>
      request<CrashRules>('PUT', ofApplication(applicationId, 'crashRules'), { body: rules }),
    listKeys: (applicationId: number) => request<CrashKey[]>('GET', ofApplication(applicationId, 'crashKeys')),
    createKey: (applicationId: number, name: string) =>
      request<CrashKey>('POST', ofApplication(applicationId, 'crashKeys'), { body: { name } }),
    updateKey: (applicationId: number, id: number, update: UpdateCrashKey) =>
      request<CrashKey>('PATCH', ofApplication(applicationId, `crashKeys/${id}`), { body: update }),
    /** Deletes the crashes of an installation by its id, as the SDK sends it or as a crash shows it. */
    removeInstall: (applicationId: number, installId: string) =>
      send('DELETE', ofApplication(applicationId, 'crashes'), { query: { installId } }),
    /**
     * Sends a crash report: the text of an Android trace, of a tombstone, of an `.ips`, of a `.crash` or of a MetricKit
     * payload, or the bytes of a tombstone as Protocol Buffers.
     */
    sendReport: (applicationId: number, report: string | Blob, { version, shortVersion }: ReportRelease = {}) =>
      request<{ id: string }>('POST', ofApplication(applicationId, 'crashes'), {
        body: report,
        headers: {
          ...(version !== undefined && { 'X-Service-Version': version }),
          ...(shortVersion !== undefined && { 'X-Service-Short-Version': shortVersion }),
        },
      }),
  }
}
