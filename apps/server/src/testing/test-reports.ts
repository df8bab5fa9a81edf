import assert from 'node:assert/strict'
import type { TestReport } from '@fairlead/contract'
import type { Answer, TestServer } from './start-server.ts'

/** A case of a JUnit report that tests write. */
export interface WrittenCase {
  name: string
  class?: string
  seconds?: number
  /** The message of a failure; without one the case passes. */
  failure?: string
  /** Messages of failed attempts before the case passed. */
  flaky?: string[]
  skipped?: boolean
}

/** Writes a JUnit report of one suite. */
export function writeJunit(cases: WrittenCase[], suite = 'unit'): string {
  const lines = cases.map((one) => {
    const attributes = `name="${one.name}" classname="${one.class ?? 'shop.CartTest'}" time="${one.seconds ?? 0.1}"`
    const failed = one.failure === undefined ? '' : `<failure message="${one.failure}" type="AssertionError"/>`
    const flaky = (one.flaky ?? []).map((text) => `<flakyFailure message="${text}" type="AssertionError"/>`).join('')
    return `<testcase ${attributes}>${flaky}${failed}${one.skipped === true ? '<skipped/>' : ''}</testcase>`
  })
  return `<testsuite name="${suite}">\n${lines.join('\n')}\n</testsuite>`
}

export interface ReportOptions {
  alias?: string
  branch?: string
  commit?: string
  baseCommit?: string
  key?: string
  attempt?: number
  shard?: string
  buildId?: number
  headers?: Record<string, string>
}

export function sendReport(
  server: Pick<TestServer, 'call'>,
  body: NonNullable<RequestInit['body']>,
  options: ReportOptions = {},
): Promise<Answer> {
  const { alias = 'shop', branch, commit, baseCommit, key, attempt, shard, buildId, headers } = options
  return server.call('POST', '/v1/testReports', {
    headers: {
      'X-Service-Application-Alias': alias,
      ...(branch !== undefined && { 'X-Service-Branch': branch }),
      ...(commit !== undefined && { 'X-Service-Commit': commit }),
      ...(baseCommit !== undefined && { 'X-Service-Base-Commit': baseCommit }),
      ...(key !== undefined && { 'X-Service-Run-Key': key }),
      ...(attempt !== undefined && { 'X-Service-Run-Attempt': String(attempt) }),
      ...(shard !== undefined && { 'X-Service-Shard': shard }),
      ...(buildId !== undefined && { 'X-Service-Build-Id': String(buildId) }),
      ...headers,
    },
    body,
  })
}

/** Uploads a report and asserts that it is taken. */
export async function uploadReport(
  server: Pick<TestServer, 'call'>,
  cases: WrittenCase[] | string,
  options: ReportOptions = {},
): Promise<TestReport> {
  const answer = await sendReport(server, typeof cases === 'string' ? cases : writeJunit(cases), options)
  assert.equal(answer.status, 201, answer.text)
  const report: TestReport = answer.json
  return report
}

export async function completeRun(server: Pick<TestServer, 'call'>, runId: number): Promise<void> {
  const answer = await server.call('POST', `/v1/testRuns/${runId}/complete`)
  assert.equal(answer.status, 200, answer.text)
}
