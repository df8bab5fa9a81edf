/** A server that is killed right before each commit of what is done with test reports, on either database. */
import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { TestFailureGroup, TestReport, TestRun, Verdict } from '@fairlead/contract'
import { z } from 'zod'
import { connectedMapping, writeConnectedTests } from '../apps/server/src/testing/crashed-tests.ts'
import { createTestDatabase } from '../apps/server/src/testing/test-database.ts'
import { openTemporaryFolder, type ServerProcess, startServerProcess, token } from './processes/server-process.ts'

const failures = 120
const passes = 30
/** More cases than one transaction takes, so that a kill can fall between two. */
const largeCases = 2200
/** How long after the restart verdict, counters, lists and rows have to agree. */
const agreedMs = 10_000
/** More commits than any of these works takes. */
const maxCommits = 40

const opened = new AsyncDisposableStack()
let dataDir: string
let killFile: string
let env: Record<string, string>
let server: ServerProcess
/** When the server that runs now answered first. */
let startedAt = 0

before(async () => {
  dataDir = opened.use(await openTemporaryFolder()).path
  killFile = join(opened.use(await openTemporaryFolder()).path, 'commit')
  const { url } = opened.use(await createTestDatabase())
  env = { KILL_AT_COMMIT_FILE: killFile, ...(url !== null && { FAIRLEAD_DATABASE_URL: url }) }
  await start()
  opened.defer(async () => void (await server.end('SIGKILL')))
})
after(() => opened.disposeAsync())

async function start(): Promise<void> {
  const preload = join(import.meta.dirname, 'processes/kill-at-commit.ts')
  server = await startServerProcess({ dataDir, env, command: [process.execPath, '--import', preload] })
  startedAt = Date.now()
}

/**
 * Does something while the server kills itself before the given commit. Returns false when there were fewer commits,
 * and otherwise starts the server again.
 */
async function isKilledAt(commit: number, act: () => Promise<unknown>): Promise<boolean> {
  await writeFile(killFile, String(commit))
  await act().catch(() => undefined)
  const wasKilled = await hasEndedSoon()
  await rm(killFile)
  if (wasKilled) await start()
  // The counts of a process begin with the first commit that was armed.
  else await restart()
  return wasKilled
}

/** The connection breaks a moment before the end of the process is seen. */
async function hasEndedSoon(): Promise<boolean> {
  for (let turn = 0; turn < 50 && !server.hasEnded(); turn++) await setTimeout(20)
  return server.hasEnded()
}

async function restart(): Promise<void> {
  await server.end('SIGTERM')
  await start()
}

function toReport(name: string, count: number, failure: string): string {
  const rows = Array.from(
    { length: count },
    (_, index) => `<testcase classname="shop.${name}Test" name="case ${index}" time="0.1">${failure}</testcase>`,
  )
  return `<testsuite name="unit">${rows.join('')}</testsuite>`
}

const passing = toReport('Passing', passes, '')
const failing = toReport('Failing', failures, '<failure message="expected 3 but was 2"/>')
const large = toReport('Large', largeCases, '')

describe('a server that is killed before a commit', () => {
  it('of an upload shows the whole report or nothing, and takes the same bytes again', async () => {
    let kills = 0
    for (let commit = 1; commit < maxCommits; commit++) {
      const alias = `upload${commit}`
      const applicationId = await createApplication(alias)
      const wasKilled = await isKilledAt(commit, () => send(alias, large))
      for (const run of TestRun.array().parse(await call('GET', `/v1/applications/${applicationId}/testRuns`))) {
        await checkRows(run, { passed: largeCases, failed: 0 })
        assert.equal((await readVerdict(run.id)).result, 'pending')
      }
      const { run } = await send(alias, large)
      await checkRows(run, { passed: largeCases, failed: 0 })
      const runs = TestRun.array().parse(await call('GET', `/v1/applications/${applicationId}/testRuns`))
      assert.equal(runs.length, 1, `runs after a kill before commit ${commit}`)
      if (!wasKilled) break
      kills++
    }
    assert.ok(kills >= 3, `${kills} commits of an upload`)
  })

  it('of a report that joins a complete run says pending until the run is judged again', async () => {
    let joined = 0
    for (let commit = 1; commit < maxCommits; commit++) {
      const alias = `join${commit}`
      const applicationId = await createApplication(alias)
      const { run } = await send(alias, passing)
      await call('POST', `/v1/testRuns/${run.id}/complete`)
      const wasKilled = await isKilledAt(commit, () => sendUntilJudged(alias, failing))
      const isJoined = await waitUntilAgreed(applicationId, run.id, commit)
      if (isJoined) joined++
      if (!wasKilled) break
    }
    assert.ok(joined >= 3, `${joined} kills came after the report joined the run`)
  })

  it('of completing a run says pending until it is judged', async () => {
    let kills = 0
    for (let commit = 1; commit < maxCommits; commit++) {
      const alias = `complete${commit}`
      const applicationId = await createApplication(alias)
      await send(alias, passing)
      const { run } = await send(alias, failing)
      const wasKilled = await isKilledAt(commit, () => call('POST', `/v1/testRuns/${run.id}/complete`))
      const { state } = TestRun.parse(await call('GET', `/v1/testRuns/${run.id}`))
      if (state === 'open') {
        assert.equal((await readVerdict(run.id)).result, 'pending')
        // A job of CI whose request was not answered sends it again.
        await call('POST', `/v1/testRuns/${run.id}/complete`)
      }
      assert.ok(await waitUntilAgreed(applicationId, run.id, commit))
      if (!wasKilled) break
      kills++
    }
    assert.ok(kills >= 3, `${kills} commits of completing`)
  })

  it('of completing a run with a crash that symbols resolve has one group and its source line in the end', async () => {
    const crash = new Uint8Array(writeConnectedTests())
    let kills = 0
    for (let commit = 1; commit < maxCommits; commit++) {
      const alias = `crash${commit}`
      const applicationId = await createApplication(alias, 'android')
      await sendMapping(alias)
      const { run } = await send(alias, crash)
      const wasKilled = await isKilledAt(commit, () => call('POST', `/v1/testRuns/${run.id}/complete`))
      const { state } = TestRun.parse(await call('GET', `/v1/testRuns/${run.id}`))
      if (state === 'open') {
        assert.equal((await readVerdict(run.id)).result, 'pending')
        await call('POST', `/v1/testRuns/${run.id}/complete`)
      }
      await waitUntilResolved(applicationId, run.id, commit)
      if (!wasKilled) break
      kills++
    }
    assert.ok(kills >= 3, `${kills} commits of completing`)
  })

  it('of the job that takes over after a first kill is taken over within 10 seconds again', async () => {
    let kills = 0
    for (let commit = 1; commit < maxCommits; commit++) {
      const alias = `job${commit}`
      const applicationId = await createApplication(alias)
      const { run } = await send(alias, passing)
      await call('POST', `/v1/testRuns/${run.id}/complete`)
      // The first commit publishes the report, and the second judges the run. A commit that the work before left
      // behind can come first, and then the report is sent again.
      for (let turn = 0; turn < 5 && !(await hasJoined(run.id)); turn++) {
        await isKilledAt(2, () => sendUntilJudged(alias, failing))
      }
      const wasKilled = await isKilledAt(commit, () => waitUntilAgreed(applicationId, run.id, commit))
      assert.ok(await waitUntilAgreed(applicationId, run.id, commit))
      if (!wasKilled) break
      kills++
    }
    assert.ok(kills >= 3, `${kills} commits of the job`)
  })
})

/**
 * Waits until the verdict is no longer pending and the lists hold what the counters say. Returns whether the failing
 * report is part of the run.
 */
async function waitUntilAgreed(applicationId: number, runId: number, commit: number): Promise<boolean> {
  for (;;) {
    const run = TestRun.parse(await call('GET', `/v1/testRuns/${runId}`))
    const verdict = await readVerdict(runId)
    const isJoined = run.counts.failed > 0
    const failed = isJoined ? failures : 0
    await checkRows(run, { passed: passes, failed })
    const isLate = Date.now() - startedAt > agreedMs
    const place = `after a kill before commit ${commit}`
    if (verdict.result === 'pending') assert.ok(!isLate, `still pending ${place}`)
    else {
      assert.deepEqual([verdict.result, verdict.counts.new], [isJoined ? 'fail' : 'pass', failed], place)
      const listed = await count(`/v1/applications/${applicationId}/tests?state=failing&limit=1`)
      const classified = await count(`/v1/testRuns/${runId}/results?classification=new&limit=1`)
      if (listed === failed && classified === failed) return isJoined
      assert.ok(!isLate, `${listed} tests are listed as failing ${place}`)
    }
    await setTimeout(100)
  }
}

/** Waits until the failure of a run is judged in the one group of its source names, which the verdict names as well. */
async function waitUntilResolved(applicationId: number, runId: number, commit: number): Promise<void> {
  const place = `after a kill before commit ${commit}`
  for (;;) {
    const verdict = await readVerdict(runId)
    if (verdict.result !== 'pending') {
      assert.deepEqual([verdict.result, verdict.counts.new, verdict.counts.passed], ['fail', 1, 1], place)
      assert.deepEqual(
        verdict.crashes.map(({ title }) => title),
        ['java.lang.IllegalStateException in com.example.shop.Cart.checkOut (Cart.kt:42)'],
        place,
      )
      const groups = TestFailureGroup.array().parse(
        await call('GET', `/v1/applications/${applicationId}/failureGroups`),
      )
      assert.deepEqual(
        groups.map(({ frames, firstRunId }) => [frames[0], firstRunId]),
        [['com.example.shop.Cart.checkOut', runId]],
        place,
      )
      const listed = await count(`/v1/applications/${applicationId}/tests?state=failing&limit=1`)
      if (listed === 1) return
    }
    assert.ok(Date.now() - startedAt <= agreedMs, `${verdict.result} ${place}`)
    await setTimeout(100)
  }
}

async function hasJoined(runId: number): Promise<boolean> {
  return TestRun.parse(await call('GET', `/v1/testRuns/${runId}`)).counts.failed > 0
}

/** Sends a report and waits until its run is judged, so that a kill may fall into the judgement on a busy machine. */
async function sendUntilJudged(alias: string, body: string): Promise<void> {
  const { run } = await send(alias, body)
  while ((await readVerdict(run.id)).result === 'pending') await setTimeout(50)
}

async function checkRows({ id, counts }: TestRun, expected: { passed: number; failed: number }): Promise<void> {
  assert.deepEqual({ passed: counts.passed, failed: counts.failed }, expected)
  for (const outcome of ['passed', 'failed'] as const) {
    assert.equal(await count(`/v1/testRuns/${id}/results?outcome=${outcome}&limit=1`), expected[outcome])
  }
}

async function createApplication(alias: string, platform = 'ios'): Promise<number> {
  const answer = await call('POST', '/v1/applications', { name: alias, alias, platform })
  return z.object({ id: z.number() }).parse(answer).id
}

async function readVerdict(runId: number): Promise<Verdict> {
  return Verdict.parse(await call('GET', `/v1/testRuns/${runId}/verdict`))
}

async function sendMapping(alias: string): Promise<void> {
  const answer = await fetch(`${server.url}/v2/symbolsFiles`, {
    method: 'POST',
    headers: {
      'X-Service-Token': token,
      'X-Service-Application-Alias': alias,
      'X-Service-Package': 'com.example.shop',
      'X-Service-Version-Name': '1.0',
      'X-Service-Version-Code': '1',
    },
    body: connectedMapping,
  })
  assert.equal(answer.status, 201, await answer.text())
}

async function send(alias: string, body: string | Uint8Array<ArrayBuffer>): Promise<TestReport> {
  const headers = { 'X-Service-Token': token, 'X-Service-Application-Alias': alias, 'X-Service-Run-Key': 'pipeline' }
  const answer = await fetch(`${server.url}/v1/testReports`, {
    method: 'POST',
    headers: { ...headers, 'X-Service-Branch': 'main', 'X-Service-Commit': 'c1' },
    body,
  })
  assert.equal(answer.status, 201)
  return TestReport.parse(await answer.json())
}

async function call(method: string, path: string, json?: object): Promise<unknown> {
  const headers = { 'X-Service-Token': token, ...(json && { 'Content-Type': 'application/json' }) }
  const answer = await fetch(server.url + path, { method, headers, ...(json && { body: JSON.stringify(json) }) })
  assert.ok(answer.ok, `${method} ${path}: ${answer.status}`)
  return answer.json()
}

async function count(path: string): Promise<number> {
  const answer = await fetch(server.url + path, { headers: { 'X-Service-Token': token } })
  assert.equal(answer.status, 200)
  await answer.body?.cancel()
  return Number(answer.headers.get('X-Total-Count'))
}
