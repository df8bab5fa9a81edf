import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { ApplicationOverview, OverviewLine } from '@fairlead/contract'
import { createCrashApplication, type CrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'
import { completeRun, uploadReport, writeJunit } from '../testing/test-reports.ts'
import { uploadApk } from '../testing/upload.ts'

let events = 0

function toCrash(method: string, release = 'com.example.shop@1.1+2'): string {
  const frames = [{ module: 'com.example.shop.Cart', function: method, lineno: 7, in_app: true }]
  return JSON.stringify({
    event_id: (++events).toString(16).padStart(32, '0'),
    platform: 'java',
    level: 'fatal',
    release,
    user: { id: `user ${events}` },
    exception: { values: [{ type: 'Gone', value: `${method} is gone`, stacktrace: { frames } }] },
  })
}

function toSession(sid: string, { release = 'com.example.shop@1.1+2', status = 'ok', daysAgo = 0, environment = '' }) {
  const started = new Date(Date.now() - daysAgo * 86_400_000).toISOString()
  const session = { sid, init: true, status, started, timestamp: started, attrs: { release, environment } }
  return [{}, { type: 'session' }, session].map((line) => JSON.stringify(line)).join('\n')
}

describe('the overview of an application', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  const overviewOf = async (id: number): Promise<ApplicationOverview> => {
    const answer = await server.call('GET', `/v1/applications/${id}/overview`)
    assert.equal(answer.status, 200, answer.text)
    return answer.json
  }
  const lineOf = async (id: number): Promise<OverviewLine | undefined> => {
    const answer = await server.call('GET', '/v1/applicationOverviews')
    assert.equal(answer.status, 200, answer.text)
    return answer.json.find((line: OverviewLine) => line.applicationId === id)
  }
  const send = async (app: CrashApplication, protocol: string, body: string) => {
    const answer = await deliver(server, app, protocol, body)
    assert.equal(answer.status, 200, answer.text)
  }

  it('says of an empty application that nothing is known', async () => {
    const { id } = await createCrashApplication(server, 'empty')
    const { newestBuild, sizes, stability, newCrashGroups, missingSymbols, tests } = await overviewOf(id)
    assert.deepEqual([newestBuild, sizes, missingSymbols], [null, [], []])
    assert.deepEqual([stability.crashFreeRate, stability.releases, stability.days.length], [null, [], 14])
    assert.deepEqual(newCrashGroups, { count: 0, worst: [] })
    assert.deepEqual(tests, { latestRun: null, failingCount: 0, failing: [], flakyCount: 0, flaky: [] })
    assert.deepEqual(await lineOf(id), {
      applicationId: id,
      crashFreeRate: null,
      newCrashGroupCount: 0,
      lacksSymbols: false,
      testResult: null,
      failingTestCount: 0,
      flakyTestCount: 0,
    })
  })

  it('names the newest build, what changed in its size, and the verdict that its own page gives', async () => {
    const { id } = await createCrashApplication(server, 'builds')
    const first = await uploadApk(server, { alias: 'builds', apk: { versionCode: 1, versionName: '1.0' } })
    const second = await uploadApk(server, { alias: 'builds', apk: { versionCode: 2, versionName: '1.1' } })
    const untested = await overviewOf(id)
    assert.equal(untested.newestBuild?.id, second.id)
    assert.equal(untested.newestBuild.sizeChange, second.size - first.size)
    assert.equal(untested.newestBuild.previousBuildId, first.id)
    assert.equal(untested.newestBuild.installUrl, second.installUrl)
    assert.equal(untested.newestBuild.verdict, null)
    assert.deepEqual(
      untested.sizes.map(({ buildId, size }) => [buildId, size]),
      [
        [first.id, first.size],
        [second.id, second.size],
      ],
    )
    const junit = writeJunit([{ name: 'pays' }, { name: 'ships', failure: 'lost' }])
    const { run } = await uploadReport(server, junit, { alias: 'builds', branch: 'main', buildId: second.id })
    await completeRun(server, run.id)
    const { newestBuild, tests } = await overviewOf(id)
    const verdict = await server.call('GET', `/v1/builds/${second.id}/verdict`)
    assert.ok(newestBuild)
    assert.deepEqual([newestBuild.verdict, verdict.json.result], ['fail', 'fail'])
    assert.deepEqual(newestBuild.verdictReasons, verdict.json.reasons)
    assert.deepEqual(newestBuild.testRuns, [{ id: run.id, result: 'fail' }])
    assert.deepEqual([tests.latestRun?.id, tests.latestRun?.result], [run.id, 'fail'])
    assert.deepEqual([tests.failingCount, tests.failing[0]?.name, tests.failing[0]?.runId], [1, 'ships', run.id])
    const line = await lineOf(id)
    assert.deepEqual([line?.testResult, line?.failingTestCount], ['fail', 1])
    const test = tests.failing[0]?.id
    await server.call('POST', `/v1/tests/${test}/quarantine`, { json: { reason: 'known', days: 5 } })
    assert.equal((await overviewOf(id)).tests.failingCount, (await lineOf(id))?.failingTestCount)
  })

  it('says why a build failed whose runs passed', async () => {
    const { id } = await createCrashApplication(server, 'reasons')
    const test = async (versionCode: number, cases: Parameters<typeof writeJunit>[0]) => {
      const packageName = 'com.example.reasons'
      const build = await uploadApk(server, { alias: 'reasons', apk: { packageName, versionCode } })
      const details = { alias: 'reasons', branch: 'main', buildId: build.id }
      const { run } = await uploadReport(server, writeJunit(cases), details)
      await completeRun(server, run.id)
      return run.id
    }
    const lost = { name: 'ships', failure: 'lost' }
    await test(1, [{ name: 'pays' }, { name: 'refunds' }, lost])
    const later = await test(2, [{ name: 'pays' }, lost])
    const { newestBuild, tests } = await overviewOf(id)
    assert.ok(newestBuild)
    assert.deepEqual([newestBuild.verdict, tests.latestRun?.result], ['fail', 'pass'])
    assert.deepEqual(newestBuild.testRuns, [{ id: later, result: 'pass' }])
    assert.deepEqual(
      newestBuild.verdictReasons.map(({ detail }) => detail),
      ['1 test fails as at the base', '1 test of the base did not run'],
    )
  })

  it('compares the newest build with the same one as the list of builds does', async () => {
    const { id } = await createCrashApplication(server, 'bases')
    const [base, head] = ['a'.repeat(40), 'b'.repeat(40)]
    const upload = (versionCode: number, branch: string, commit: string) =>
      uploadApk(server, {
        alias: 'bases',
        apk: { packageName: 'com.example.bases', versionCode },
        headers: { 'X-Service-Branch': branch, 'X-Service-Commit': commit },
      })
    await upload(1, 'release', 'c'.repeat(40))
    const cut = await upload(2, 'main', base)
    const newest = await upload(3, 'release', head)
    const json = { base, head, isComplete: true, commits: [] }
    assert.equal((await server.call('PUT', `/v1/builds/${newest.id}/commits`, { json })).status, 200)
    const { json: facts } = await server.call('GET', `/v1/applications/${id}/buildFacts?ids=${newest.id}`)
    const { newestBuild } = await overviewOf(id)
    assert.equal(facts[0].previousBuildId, cut.id)
    assert.equal(newestBuild?.previousBuildId, cut.id)
    assert.equal(newestBuild.sizeChange, newest.size - cut.size)
  })

  it('counts sessions by day and release in the environment with the most of them', async () => {
    const app = await createCrashApplication(server, 'sessions')
    const apk = { packageName: 'com.example.sessions', versionCode: 2, versionName: '1.1' }
    await uploadApk(server, { alias: 'sessions', apk })
    const old = 'com.example.shop@1.0+1'
    for (const sid of ['a', 'b', 'c']) await send(app, 'sentry-envelope', toSession(sid, { release: old, daysAgo: 1 }))
    await send(app, 'sentry-envelope', toSession('d', { status: 'crashed' }))
    await send(app, 'sentry-envelope', toSession('e', { environment: 'staging', status: 'crashed' }))
    await send(app, 'sentry-envelope', toSession('f', { release: old, daysAgo: 20, status: 'crashed' }))
    await waitUntilRead(server, app.id)
    const { stability } = await overviewOf(app.id)
    assert.deepEqual(
      [stability.environment, stability.startedCount, stability.crashedCount, stability.crashFreeRate],
      ['production', 4, 1, 0.75],
    )
    assert.equal(stability.previousCrashFreeRate, 0)
    assert.deepEqual(
      stability.days.slice(-2).map(({ startedCount, crashFreeRate }) => [startedCount, crashFreeRate]),
      [
        [3, 1],
        [1, 0],
      ],
    )
    assert.deepEqual(
      stability.releases.map(({ version, crashFreeRate, adoptionRate }) => [version, crashFreeRate, adoptionRate]),
      [
        ['2', 0, 0.25],
        ['1', 1, 0.75],
      ],
    )
    assert.ok(stability.releases[0]?.buildId, 'the release names its build')
    assert.equal((await lineOf(app.id))?.crashFreeRate, 0.75)
  })

  it('lists the release of the newest build beside those with most sessions', async () => {
    const app = await createCrashApplication(server, 'adopted')
    const apk = { packageName: 'com.example.adopted', versionCode: 1, versionName: '1.0' }
    await uploadApk(server, { alias: 'adopted', apk })
    for (let version = 1; version <= 9; version++) {
      for (let count = 0; count < version; count++) {
        const session = { release: `com.example.adopted@1.0+${version}`, daysAgo: count % 3 }
        await send(app, 'sentry-envelope', toSession(`${version} ${count}`, session))
      }
    }
    await waitUntilRead(server, app.id)
    const { stability } = await overviewOf(app.id)
    const counted = stability.releases.map(({ version, startedCount }) => [version, startedCount])
    assert.deepEqual(
      counted,
      [9, 8, 7, 6, 5, 1].map((count) => [String(count), count]),
    )
  })

  it('lists the worst open groups of the last 14 days, and leaves out what somebody has dealt with', async () => {
    const app = await createCrashApplication(server, 'groups')
    for (const [method, count] of Object.entries({ one: 1, two: 2, three: 3, four: 4 })) {
      for (let time = 0; time < count; time++) await send(app, 'sentry-store', toCrash(method))
    }
    await waitUntilRead(server, app.id)
    const { newCrashGroups, missingSymbols } = await overviewOf(app.id)
    assert.equal(newCrashGroups.count, 4)
    assert.deepEqual(
      newCrashGroups.worst.map(({ message, crashCount, installCount }) => [message, crashCount, installCount]),
      [
        ['four is gone', 4, 4],
        ['three is gone', 3, 3],
        ['two is gone', 2, 2],
      ],
    )
    assert.equal(newCrashGroups.worst[0]?.firstRelease?.version, '2')
    const missing = await server.call('GET', `/v1/applications/${app.id}/missingSymbols`)
    assert.deepEqual(missingSymbols, missing.json)
    assert.equal((await lineOf(app.id))?.lacksSymbols, missing.json.length > 0)
    const worst = newCrashGroups.worst[0]?.id
    await server.call('PATCH', `/v1/crashGroups/${worst}`, { json: { status: 'resolved' } })
    const after = await overviewOf(app.id)
    assert.deepEqual([after.newCrashGroups.count, after.newCrashGroups.worst[0]?.message], [3, 'three is gone'])
    assert.equal((await lineOf(app.id))?.newCrashGroupCount, 3)
  })
})
