import type {
  CreateQuarantine,
  ListTestResults,
  ListTestRuns,
  ListTests,
  Quarantine,
  ResultOfTest,
  Test,
  TestComparison,
  TestFailure,
  TestFailureGroup,
  TestReport,
  TestResult,
  TestRun,
  UpdateTest,
  Verdict,
} from '@fairlead/contract'
import type { CallOptions, Connection } from './connection.ts'
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
    getVerdict: (runId: number) => request<Verdict>('GET', `/v1/testRuns/${runId}/verdict`),
    getVerdictOfBuild: (buildId: number) => request<Verdict>('GET', `/v1/builds/${buildId}/verdict`),
    listResults: (runId: number, query: ResultFilter & Paging) =>
      requestPage<TestResult>(connection, `/v1/testRuns/${runId}/results`, query),
    compare: (runId: number, baseRunId: number) =>
      request<TestComparison>('GET', `/v1/testRuns/${runId}/comparison`, { query: { to: baseRunId } }),
    list: (applicationId: number, query: TestFilter & Paging) =>
      requestPage<Test>(connection, `/v1/applications/${applicationId}/tests`, query),
    get: (id: number) => request<Test>('GET', `/v1/tests/${id}`),
    update: (id: number, body: UpdateTest) => request<Test>('PATCH', `/v1/tests/${id}`, { body }),
    listResultsOf: (id: number, query: Paging) =>
      requestPage<ResultOfTest>(connection, `/v1/tests/${id}/results`, query),
    /** Sends a report, or an archive of many, and gives what the server read. */
    uploadReport: async ({ alias, headers = {}, ...options }: TestReportUpload): Promise<TestReport> => {
      const texts = Object.entries(headers).map(([name, value]) => [name, toHeaderText(value)])
      const named = { ...Object.fromEntries(texts), 'X-Service-Application-Alias': alias }
      return JSON.parse(await upload(connection, '/v1/testReports', options, named)) as TestReport
    },
    listFailureGroups: (applicationId: number) =>
      request<TestFailureGroup[]>('GET', `/v1/applications/${applicationId}/failureGroups`),
    describeAttachment: (id: number, options?: CallOptions) =>
      connection.open('HEAD', `/v1/testAttachments/${id}`, options),
    openAttachment: (id: number, options?: CallOptions) => connection.open('GET', `/v1/testAttachments/${id}`, options),
    getFailure: (id: number) => request<TestFailure>('GET', `/v1/testFailures/${id}`),
    listQuarantines: (applicationId: number) =>
      request<Quarantine[]>('GET', `/v1/applications/${applicationId}/quarantine`),
    quarantine: (applicationId: number, body: CreateQuarantine) =>
      request<Quarantine>('POST', `/v1/applications/${applicationId}/quarantine`, { body }),
    endQuarantine: (applicationId: number, id: number) =>
      send('DELETE', `/v1/applications/${applicationId}/quarantine/${id}`),
  }
}
