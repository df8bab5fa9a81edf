import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import type { CrashGroup, CrashKey, CrashSummary, TestReport, TestResult } from '@fairlead/contract'
import { readAnswer } from '../../scripts/read-json.ts'
import type { FilledWorkspace } from './filled-workspace.ts'

/** What the pages of crashes and tests show. */
export interface FilledAnalysis {
  crashGroupId: number
  crashId: number
  testRunId: number
  testId: number
}

/** A crash as a Sentry SDK sends it. Its release has no mapping. */
const event = {
  event_id: 'fedcba9876543210fedcba9876543210',
  timestamp: new Date().toISOString(),
  platform: 'java',
  level: 'fatal',
  release: 'com.example.pilot@2.3.0+20230',
  user: { id: 'seven' },
  contexts: { os: { name: 'Android', version: '14' }, device: { model: 'Pixel 8' } },
  breadcrumbs: [{ category: 'ui', message: 'tapped', timestamp: '2026-05-06T07:08:09Z' }],
  exception: {
    values: [
      {
        type: 'IllegalStateException',
        module: 'java.lang',
        value: 'no chart',
        mechanism: { type: 'UncaughtExceptionHandler', handled: false },
        stacktrace: {
          frames: [
            { module: 'com.example.pilot.MainActivity', function: 'onCreate', lineno: 20, filename: 'MainActivity.kt' },
            { module: 'a.b.c', function: 'b', lineno: 17, filename: 'SourceFile' },
          ],
        },
      },
    ],
  },
}

const report =
  '<testsuite name="unit"><testcase classname="shop.CartTest" name="checks out" time="0.1">' +
  '<failure type="IllegalStateException" message="cart is empty">at shop.Cart.checkOut(Cart.kt:41)</failure>' +
  '</testcase><testcase classname="shop.CartTest" name="adds" time="0.2"/></testsuite>'

/** Sends a crash, sessions and a run of tests to the first application of a filled workspace. */
export async function fillAnalysis(baseUrl: string, workspace: FilledWorkspace): Promise<FilledAnalysis> {
  const call = async <Answer>(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
    const init =
      body === undefined ? {} : { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }
    const type = typeof body === 'string' ? 'text/plain' : 'application/json'
    const named = { 'X-Service-Token': workspace.apiToken, 'Content-Type': type, ...headers }
    const answer = await fetch(baseUrl + path, { ...init, headers: named })
    assert.ok(answer.ok, `${path}: ${answer.status}`)
    return await readAnswer<Answer>(answer)
  }
  const root = `/v1/applications/${workspace.applicationId}`
  const { key } = await call<CrashKey>(`${root}/crashKeys`, { name: 'Apps' })
  const session = { sid: 's1', init: true, status: 'ok', started: event.timestamp, attrs: { release: event.release } }
  const envelope = [{ sent_at: event.timestamp }, { type: 'session' }, session].map((line) => JSON.stringify(line))
  const intake = `${baseUrl}/api/${workspace.applicationId}`
  for (const [path, body] of [
    ['store', JSON.stringify(event)],
    ['envelope', envelope.join('\n')],
  ]) {
    assert.equal(
      (await fetch(`${intake}/${path}/?sentry_key=${key}`, { method: 'POST', body: body ?? '' })).status,
      200,
    )
  }
  const { run } = await call<TestReport>('/v1/testReports', report, {
    'X-Service-Application-Alias': 'pilot',
    'X-Service-Branch': 'main',
  })
  await call(`/v1/testRuns/${run.id}/complete`, '')
  const [failed] = await call<TestResult[]>(`/v1/testRuns/${run.id}/results?outcome=failed`)
  const group = await waitForGroup(() => call<CrashGroup[]>(`${root}/crashGroups?version=2.3.0`))
  const [crash] = await call<CrashSummary[]>(`/v1/crashGroups/${group.id}/crashes`)
  assert.ok(failed && crash)
  return { crashGroupId: group.id, crashId: crash.id, testRunId: run.id, testId: failed.testId }
}

/** A crash is read by a job soon after it is acknowledged. */
async function waitForGroup(list: () => Promise<CrashGroup[]>): Promise<CrashGroup> {
  for (let waited = 0; waited < 400; waited++) {
    const [group] = await list()
    if (group) return group
    await setTimeout(50)
  }
  throw new Error('the crash was not read')
}

/** Lists the paths of the pages of crashes and tests. */
export function listAnalysisPages({ applicationId }: FilledWorkspace, analysis: FilledAnalysis): string[] {
  const root = `/applications/${applicationId}`
  return [
    `${root}/crashes`,
    `${root}/crashes/${analysis.crashGroupId}`,
    `${root}/crash-reports/${analysis.crashId}`,
    `${root}/stability`,
    `${root}/crash-rules`,
    `${root}/crash-set-up`,
    `${root}/tests`,
    `${root}/tests/all`,
    `${root}/tests/runs/${analysis.testRunId}`,
    `${root}/tests/runs/${analysis.testRunId}/comparison`,
    `${root}/tests/${analysis.testId}`,
  ]
}
