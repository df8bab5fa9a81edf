import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { describe, it } from 'node:test'
import { Test, TestReport, TestResult, TestRun, Verdict } from '@fairlead/contract'
import { openTemporaryFolder, startServerProcess, token } from './processes/server-process.ts'

const failures = 1000
const passes = 1000
/**
 * How long after a restart verdict, counters and lists have to agree with the rows. On a quiet machine 10 seconds are
 * enough; tests share theirs.
 */
const agreedMs = 60_000
/** Pauses between the upload and the kill: while its rows are written, published, judged and counted. */
// The last one lets the report join on a busy machine as well.
const pauses = [0, 40, 80, 120, 200, 300, 450, 700, 1000, 4000]

function toReport(name: string, count: number, failure: string): string {
  const rows = Array.from(
    { length: count },
    (_, index) => `<testcase classname="shop.${name}Test" name="case ${index}" time="0.1">${failure}</testcase>`,
  )
  return `<testsuite name="unit">${rows.join('')}</testsuite>`
}

const passing = toReport('Passing', passes, '')
const failing = toReport('Failing', failures, '<failure message="expected 3 but was 2"/>')

describe('a server that is killed while a report joins a complete run', () => {
  it('says pending until the run is judged again, and agrees with the rows soon after the restart', async () => {
    await using folder = await openTemporaryFolder()
    const dataDir = folder.path
    let joined = 0
    for (const [index, pause] of pauses.entries()) {
      const alias = `shop${index}`
      let runId: number
      let applicationId: number
      {
        await using server = await startServerProcess({ dataDir })
        applicationId = (await call(server.url, 'POST', '/v1/applications', { name: alias, alias, platform: 'ios' })).id
        runId = (await send(server.url, alias, passing)).run.id
        await call(server.url, 'POST', `/v1/testRuns/${runId}/complete`)
        const sent = send(server.url, alias, failing).catch(() => undefined)
        await setTimeout(pause)
        await server.end('SIGKILL')
        await sent
      }
      await using server = await startServerProcess({ dataDir })
      const started = Date.now()
      for (;;) {
        const run = TestRun.parse(await call(server.url, 'GET', `/v1/testRuns/${runId}`))
        const verdict = Verdict.parse(await call(server.url, 'GET', `/v1/testRuns/${runId}/verdict`))
        const isJoined = run.counts.failed > 0
        assert.equal(run.counts.failed, isJoined ? failures : 0)
        assert.ok(
          !isJoined || verdict.result !== 'pass',
          `pass with ${run.counts.failed} failures, killed after ${pause}`,
        )
        if (verdict.result === 'pending') {
          assert.ok(Date.now() - started < agreedMs, `still pending, killed after ${pause}`)
          await setTimeout(100)
          continue
        }
        assert.equal(verdict.result, isJoined ? 'fail' : 'pass')
        assert.equal(verdict.counts.new, isJoined ? failures : 0)
        if (isJoined) joined++
        break
      }
      const run = TestRun.parse(await call(server.url, 'GET', `/v1/testRuns/${runId}`))
      for (;;) {
        const listed = await list(server.url, `/v1/applications/${applicationId}/tests?state=failing&limit=200`)
        const results = await list(server.url, `/v1/testRuns/${runId}/results?classification=new&limit=200`)
        Test.array().parse(listed.items)
        TestResult.array().parse(results.items)
        if (listed.total === run.counts.failed && results.total === run.counts.failed) break
        assert.ok(Date.now() - started < agreedMs, `${listed.total} tests are listed as failing, killed after ${pause}`)
        await setTimeout(200)
      }
    }
    assert.ok(joined > 0, 'every kill came before the report joined the run')
  })
})

/** Pauses between the request to complete a run and the kill. */
const completePauses = [0, 5, 15, 40, 100, 250]

describe('a server that is killed while a run is completed', () => {
  it('says pending until the run is judged, and agrees with the rows 10 seconds after the restart', async () => {
    await using folder = await openTemporaryFolder()
    const dataDir = folder.path
    for (const [index, pause] of completePauses.entries()) {
      const alias = `shop${index}`
      let runId: number
      let applicationId: number
      {
        await using server = await startServerProcess({ dataDir })
        applicationId = (await call(server.url, 'POST', '/v1/applications', { name: alias, alias, platform: 'ios' })).id
        await send(server.url, alias, passing)
        runId = (await send(server.url, alias, failing)).run.id
        const completed = call(server.url, 'POST', `/v1/testRuns/${runId}/complete`).catch(() => undefined)
        await setTimeout(pause)
        await server.end('SIGKILL')
        await completed
      }
      await using server = await startServerProcess({ dataDir })
      const started = Date.now()
      // A job of CI whose request was not answered sends it again.
      const before = TestRun.parse(await call(server.url, 'GET', `/v1/testRuns/${runId}`))
      if (before.state === 'open') await call(server.url, 'POST', `/v1/testRuns/${runId}/complete`)
      for (;;) {
        const run = TestRun.parse(await call(server.url, 'GET', `/v1/testRuns/${runId}`))
        const verdict = Verdict.parse(await call(server.url, 'GET', `/v1/testRuns/${runId}/verdict`))
        assert.deepEqual([run.counts.failed, run.counts.passed], [failures, passes])
        if (verdict.result === 'pending') {
          assert.ok(Date.now() - started < agreedMs, `still pending, killed after ${pause}`)
          await setTimeout(100)
          continue
        }
        assert.deepEqual([verdict.result, verdict.counts.new], ['fail', failures], `killed after ${pause}`)
        break
      }
      for (;;) {
        const listed = await list(server.url, `/v1/applications/${applicationId}/tests?state=failing&limit=200`)
        const results = await list(server.url, `/v1/testRuns/${runId}/results?classification=new&limit=200`)
        if (listed.total === failures && results.total === failures) break
        assert.ok(Date.now() - started < agreedMs, `${listed.total} tests are listed as failing, killed after ${pause}`)
        await setTimeout(200)
      }
    }
  })
})

async function send(url: string, alias: string, body: string): Promise<TestReport> {
  const headers = { 'X-Service-Token': token, 'X-Service-Application-Alias': alias, 'X-Service-Run-Key': 'pipeline' }
  const answer = await fetch(`${url}/v1/testReports`, {
    method: 'POST',
    headers: { ...headers, 'X-Service-Branch': 'main', 'X-Service-Commit': 'c1' },
    body,
  })
  assert.equal(answer.status, 201)
  return TestReport.parse(await answer.json())
}

// oxlint-disable-next-line typescript/no-explicit-any -- the callers parse the answers that they read
async function call(url: string, method: string, path: string, json?: object): Promise<any> {
  const headers = { 'X-Service-Token': token, ...(json && { 'Content-Type': 'application/json' }) }
  const answer = await fetch(url + path, { method, headers, ...(json && { body: JSON.stringify(json) }) })
  assert.ok(answer.ok, `${method} ${path}: ${answer.status}`)
  return answer.json()
}

async function list(url: string, path: string): Promise<{ items: unknown; total: number }> {
  const answer = await fetch(url + path, { headers: { 'X-Service-Token': token } })
  assert.equal(answer.status, 200)
  return { items: await answer.json(), total: Number(answer.headers.get('X-Total-Count')) }
}
