import type {
  AttachmentOfResult,
  Badge,
  CodeOwners,
  CrashGroup,
  CreateQuarantine,
  CreateTestSplit,
  FailureGroupOfRun,
  ListTestResults,
  ListTestRuns,
  ListTests,
  Quarantine,
  ResultOfTest,
  Test,
  TestComparison,
  TestDuration,
  TestFailure,
  TestFailureExplanation,
  TestFailureGroup,
  TestReport,
  TestResult,
  TestRun,
  TestSplit,
  TestTimeline,
  UpdateTest,
  Verdict,
} from '@fairlead/contract'
import { type CallOptions, type Connection, parseJson } from './connection.ts'
import { toHeaderText } from './header-text.ts'
import { type Paging, requestPage } from './page.ts'
import { upload, type UploadOptions } from './upload.ts'

type RunFilter = Omit<ListTestRuns, 'limit' | 'cursor'>
type ResultFilter = Omit<ListTestResults, 'limit' | 'cursor'>
type TestFilter = Omit<ListTests, 'limit' | 'cursor'>

export interface TestReportUpload extends UploadOptions {
  /** The alias of the application. */
  alias: string
  /** Further headers of the endpoint, such as `X-Service-Run-Key` and `X-Service-Shard`. */
  headers?: Record<string, string>
}

export function testsOf(connection: Connection) {
  const { request, send } = connection
  return {
    listRuns: (applicationId: number, query: RunFilter & Paging) =>
      requestPage<TestRun>(connection, `/v1/applications/${applicationId}/testRuns`, query),
    getRun: (id: number) => request<TestRun>('GET', `/v1/testRuns/${id}`),
    completeRun: (id: number) => request<TestRun>('POST', `/v1/testRuns/${id}/complete`),
    /** That of one report counts the cases of this report alone. */
    getVerdict: (runId: number, query: { reportId?: number } = {}) =>
      request<Verdict>('GET', `/v1/testRuns/${runId}/verdict`, { query }),
    getVerdictOfBuild: (buildId: number) => request<Verdict>('GET', `/v1/builds/${buildId}/verdict`),
    listResults: (runId: number, query: ResultFilter & Paging) =>
      requestPage<TestResult>(connection, `/v1/testRuns/${runId}/results`, query),
    /** The attachments of a test in a run, of passed cases as well. */
    listAttachments: (runId: number, testId: number) =>
      request<AttachmentOfResult[]>('GET', `/v1/testRuns/${runId}/results/${testId}/attachments`),
    listGroupsOfRun: (runId: number) => request<FailureGroupOfRun[]>('GET', `/v1/testRuns/${runId}/failureGroups`),
    compare: (runId: number, baseRunId: number) =>
      request<TestComparison>('GET', `/v1/testRuns/${runId}/comparison`, { query: { to: baseRunId } }),
    list: (applicationId: number, query: TestFilter & Paging) =>
      requestPage<Test>(connection, `/v1/applications/${applicationId}/tests`, query),
    get: (id: number) => request<Test>('GET', `/v1/tests/${id}`),
    update: (id: number, body: UpdateTest) => request<Test>('PATCH', `/v1/tests/${id}`, { body }),
    listResultsOf: (id: number, query: Paging) =>
      requestPage<ResultOfTest>(connection, `/v1/tests/${id}/results`, query),
    /** Sends a report or an archive of reports, and returns what the server read in it. */
    uploadReport: async ({ alias, headers = {}, ...options }: TestReportUpload): Promise<TestReport> => {
      const texts = Object.entries(headers).map(([name, value]) => [name, toHeaderText(value)])
      const named = { ...Object.fromEntries(texts), 'X-Service-Application-Alias': alias }
      return parseJson<TestReport>(201, await upload(connection, '/v1/testReports', options, named))
    },
    /** The crash groups with the exception and the frame of a failure. */
    listCrashGroups: (failureId: number) => request<CrashGroup[]>('GET', `/v1/testFailures/${failureId}/crashGroups`),
    listFailureGroups: (applicationId: number) =>
      request<TestFailureGroup[]>('GET', `/v1/applications/${applicationId}/failureGroups`),
    describeAttachment: (id: number, options?: CallOptions) =>
      connection.open('HEAD', `/v1/testAttachments/${id}`, options),
    openAttachment: (id: number, options?: CallOptions) =>
      connection.open('GET', `/v1/testAttachments/${id}`, { ...options, isDownload: true }),
    /** Says where a test fails, since which run, and which commits may have caused it. */
    explainFailure: (id: number) => request<TestFailureExplanation>('GET', `/v1/testFailures/${id}/explanation`),
    getFailure: (id: number) => request<TestFailure>('GET', `/v1/testFailures/${id}`),
    getTimeline: (failureId: number) => request<TestTimeline>('GET', `/v1/testFailures/${failureId}/timeline`),
    getCodeOwners: (applicationId: number) => request<CodeOwners>('GET', `/v1/applications/${applicationId}/owners`),
    replaceCodeOwners: (applicationId: number, content: string) =>
      request<CodeOwners>('PUT', `/v1/applications/${applicationId}/owners`, { body: { content } }),
    listDurations: (applicationId: number, options?: CallOptions) =>
      request<TestDuration[]>('GET', `/v1/applications/${applicationId}/testDurations`, options),
    /** The durations that all shards of a run get, from the first one that asked. */
    createSplit: (applicationId: number, body: CreateTestSplit, options?: CallOptions) =>
      request<TestSplit>('POST', `/v1/applications/${applicationId}/testSplits`, {
        body,
        isRepeatable: true,
        ...options,
      }),
    getBadge: (applicationId: number) => request<Badge>('GET', `/v1/applications/${applicationId}/badge`),
    createBadge: (applicationId: number) => request<Badge>('POST', `/v1/applications/${applicationId}/badge`),
    revokeBadge: (applicationId: number) => send('DELETE', `/v1/applications/${applicationId}/badge`),
    listQuarantines: (applicationId: number) =>
      request<Quarantine[]>('GET', `/v1/applications/${applicationId}/quarantine`),
    quarantine: (applicationId: number, body: CreateQuarantine) =>
      request<Quarantine>('POST', `/v1/applications/${applicationId}/quarantine`, { body }),
    endQuarantine: (applicationId: number, id: number) =>
      send('DELETE', `/v1/applications/${applicationId}/quarantine/${id}`),
  }
}
