import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { BuildComparison, CrashExplanation, TestFailureExplanation } from '@fairlead/contract'
import { createCrashApplication, type CrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'
import { uploadReport } from '../testing/test-reports.ts'
import { uploadApk } from '../testing/upload.ts'

const gate = 'app/src/main/kotlin/com/example/shop/sync/Gate.kt'
const hash = (digit: string) => digit.repeat(40)
const date = '2026-11-20T10:00:00Z'

describe('the explanation', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  let application: CrashApplication
  const builds: number[] = []
  let groupId = 0

  /** A crash in a build: `Gate.open` fails, called by `Screen.show`, inside a helper that throws for it. */
  const crashIn = (version: number, { id = `${version}`.padStart(32, '0'), line = 40 } = {}) =>
    deliver(
      server,
      application,
      'sentry-store',
      JSON.stringify({
        event_id: id,
        timestamp: Date.now() / 1000,
        platform: 'java',
        level: 'fatal',
        release: `com.example.shop@1.${version}+${version}`,
        exception: {
          values: [
            {
              type: 'IllegalStateException',
              module: 'java.lang',
              value: 'the gate is closed',
              mechanism: { type: 'UncaughtExceptionHandler', handled: false },
              stacktrace: {
                frames: [
                  { module: 'com.example.shop.ui.Screen', function: 'show', filename: 'Screen.kt', lineno: 12 },
                  { module: 'com.example.shop.sync.Gate', function: 'open', filename: 'Gate.kt', lineno: line },
                  { module: 'java.util.Objects', function: 'requireNonNull', filename: 'Objects.java', lineno: 7 },
                ],
              },
            },
          ],
        },
      }),
    )

  const sendCommits = (build: number, commits: object[], base: string | null = null) =>
    server.call('PUT', `/v1/builds/${build}/commits`, { json: { base, head: hash('f'), commits } })

  const explain = async (query = ''): Promise<CrashExplanation> => {
    const answer = await server.call('GET', `/v1/crashGroups/${groupId}/explanation${query}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.json
  }

  const readSize = async (id: number | undefined): Promise<number> =>
    (await server.call('GET', `/v1/builds/${id}`)).json.size

  before(async () => {
    application = await createCrashApplication(server, 'shop')
    for (const version of [1, 2, 3]) {
      const apk = { versionName: `1.${version}`, versionCode: version }
      const headers = { 'X-Service-Branch': 'main', 'X-Service-Commit': hash(String(version)) }
      builds.push((await uploadApk(server, { alias: 'shop', apk, headers })).id)
    }
    // The newer build crashes first; the order of releases decides, and not that of arrival.
    await crashIn(3, { line: 44 })
    await waitUntilRead(server, application.id)
    await crashIn(2)
    await waitUntilRead(server, application.id)
    const groups = await server.call('GET', `/v1/applications/${application.id}/crashGroups`)
    groupId = groups.json[0].id
  })

  it('says where a crash happens and in which build it began, and why it has no suspects', async () => {
    const explanation = await explain()
    assert.deepEqual(explanation.location, {
      frame: 1,
      line: 40,
      untrusted: { file: 'Gate.kt', function: 'com.example.shop.sync.Gate.open', path: null },
    })
    assert.deepEqual(explanation.introduced, {
      buildId: builds[1],
      previousBuildId: builds[0],
      isCertain: false,
      commits: { state: 'none', base: null, head: null, count: 0 },
    })
    assert.equal(explanation.crash?.buildId, builds[1])
    assert.equal(explanation.frames.length, 3)
    assert.deepEqual(explanation.suspects, [])
    assert.ok(explanation.next.some((text) => text.includes(`fairlead builds commits ${builds[1]}`)))
    const [older, newer] = [await readSize(builds[0]), await readSize(builds[1])]
    assert.deepEqual(explanation.build, { buildId: builds[1], sizeBytes: newer, sizeChangeBytes: newer - older })
  })

  it('names the commits whose files fit the frames, with reasons, the path and its owners', async () => {
    await sendCommits(
      builds[1] ?? 0,
      [
        { id: hash('a'), date, files: [{ path: 'docs/readme.md', status: 'M' }] },
        { id: hash('b'), date, subject: 'Close it', files: [{ path: gate, status: 'M', hunks: [[90, 2]] }] },
        { id: hash('c'), date, author: { name: 'Mara' }, files: [{ path: gate, status: 'M', hunks: [[39, 3]] }] },
      ],
      hash('1'),
    )
    await server.call('PUT', `/v1/applications/${application.id}/owners`, {
      json: { content: '/app/src/main/kotlin/com/example/shop/sync/ @example/sync\n' },
    })
    const { suspects, location, owners, introduced } = await explain()
    assert.deepEqual(
      suspects.map(({ rank, commit, score, reasons }) => [rank, commit, score, reasons]),
      [
        [1, hash('c'), 1, [{ code: 'line', frame: 1, line: 40 }]],
        [2, hash('b'), 0.6, [{ code: 'file', frame: 1, line: 40 }]],
      ],
    )
    assert.deepEqual(suspects[0]?.untrusted, { paths: [gate], subject: null, author: 'Mara' })
    assert.equal(location?.untrusted.path, gate)
    assert.deepEqual(owners, [{ untrusted: { path: gate, owners: ['@example/sync'] } }])
    assert.equal(introduced.commits.state, 'complete')
  })

  it('compares hunks with the lines of their own build, whichever crash is shown', async () => {
    const groupCrashes = await server.call('GET', `/v1/crashGroups/${groupId}/crashes`)
    const newer = groupCrashes.json.find(({ version }: { version: string }) => version === '3')
    const { crash, location, suspects } = await explain(`?crashId=${newer.id}`)
    assert.equal(crash?.crashId, newer.id)
    assert.equal(location?.line, 44)
    assert.deepEqual(suspects[0]?.reasons[0], { code: 'line', frame: 1, line: 40 })
  })

  it('searches earlier builds at half the weight until one was used', async () => {
    await sendCommits(builds[0] ?? 0, [
      { id: hash('d'), date, files: [{ path: gate, status: 'A', hunks: [[1, 100]] }] },
    ])
    const before = await explain()
    assert.deepEqual(
      before.suspects.map(({ commit, score, buildId }) => [commit, score, buildId]),
      [
        [hash('c'), 1, builds[1]],
        [hash('b'), 0.6, builds[1]],
        [hash('d'), 0.5, builds[0]],
      ],
    )
    const other = 'java.lang.Error: other\n\tat com.example.shop.Other.run(Other.kt:3)'
    await server.call('POST', `/v1/applications/${application.id}/crashes`, {
      headers: { 'X-Service-Version': '1', 'X-Service-Short-Version': '1.1' },
      body: other,
    })
    await waitUntilRead(server, application.id)
    const after = await explain()
    assert.equal(after.introduced.isCertain, true)
    assert.deepEqual(
      after.suspects.map(({ commit }) => commit),
      [hash('c'), hash('b')],
    )
  })

  it('answers 404 for a crash of another group', async () => {
    const groups = await server.call('GET', `/v1/applications/${application.id}/crashGroups`)
    const other = groups.json.find(({ id }: { id: number }) => id !== groupId)
    const crashes = await server.call('GET', `/v1/crashGroups/${other.id}/crashes`)
    const answer = await server.call('GET', `/v1/crashGroups/${groupId}/explanation?crashId=${crashes.json[0].id}`)
    assert.equal(answer.status, 404)
  })

  it('compares two builds: their commits, their size, and crashes that began between them', async () => {
    const compare = async (id: number | undefined, query = ''): Promise<BuildComparison> => {
      const answer = await server.call('GET', `/v1/builds/${id}/comparison${query}`)
      assert.equal(answer.status, 200, answer.text)
      return answer.json
    }
    const ofSecond = await compare(builds[1])
    assert.equal(ofSecond.baseBuildId, builds[0])
    assert.deepEqual([ofSecond.commits.state, ofSecond.commits.count], ['complete', 3])
    assert.deepEqual(
      ofSecond.newCrashGroups.map((one) => one.crashGroupId),
      [groupId],
    )
    assert.equal(ofSecond.tests, null)
    const ofThird = await compare(builds[2])
    assert.deepEqual([ofThird.commits.state, ofThird.newCrashGroups], ['none', []])
    const across = await compare(builds[2], `?baseBuildId=${builds[0]}`)
    assert.deepEqual([across.commits.state, across.commits.count, across.newCrashGroups.length], ['partial', 3, 1])
    assert.equal((await compare(builds[0])).baseBuildId, null)
    assert.equal((await server.call('GET', `/v1/builds/${builds[0]}/comparison?baseBuildId=99999`)).status, 404)
  })

  it('explains a new failure of a test by the commits between the runs', async () => {
    const test = 'classname="com.example.shop.sync.GateTest" name="opens"'
    const report = (body: string) => `<testsuite name="unit"><testcase ${test}>${body}</testcase></testsuite>`
    const run = async (version: number, body: string) => {
      const sent = await uploadReport(server, report(body), {
        alias: 'shop',
        headers: {
          'X-Service-Branch': 'main',
          'X-Service-Commit': hash(String(version)),
          'X-Service-Build-Id': String(builds[version - 1]),
        },
      })
      await server.call('POST', `/v1/testRuns/${sent.run.id}/complete`)
      return sent.run.id
    }
    const passed = await run(1, '')
    const trace =
      'java.lang.IllegalStateException: the gate is closed\n' +
      '\tat com.example.shop.sync.Gate.open(Gate.kt:40)\n' +
      '\tat com.example.shop.sync.GateTest.opens(GateTest.kt:9)\n' +
      '\tat org.junit.runner.Runner.run(Runner.java:1)'
    const failure = `<failure type="java.lang.IllegalStateException" message="the gate is closed">${trace}</failure>`
    const failed = await run(2, failure)
    const results = await server.call('GET', `/v1/testRuns/${failed}/results`)
    const { failureId } = results.json[0]
    const answer = await server.call('GET', `/v1/testFailures/${failureId}/explanation`)
    assert.equal(answer.status, 200, answer.text)
    const explanation: TestFailureExplanation = answer.json
    assert.equal(explanation.classification, 'new')
    assert.deepEqual(explanation.range, {
      lastPassed: { testRunId: passed, commit: hash('1'), buildId: builds[0] },
      firstFailed: { testRunId: failed, commit: hash('2'), buildId: builds[1] },
    })
    assert.deepEqual(explanation.location, {
      frame: 0,
      line: 40,
      untrusted: { file: 'Gate.kt', function: 'com.example.shop.sync.Gate.open', path: gate },
    })
    assert.equal(explanation.suspects[0]?.commit, hash('c'))
    assert.deepEqual(explanation.owners, [{ untrusted: { path: gate, owners: ['@example/sync'] } }])
    assert.deepEqual(
      explanation.crashGroups.map((group) => group.crashGroupId),
      [groupId],
    )
    assert.equal(explanation.untrusted.message, 'the gate is closed')
    const compared = await server.call('GET', `/v1/builds/${builds[1]}/comparison`)
    assert.deepEqual(
      compared.json.tests.newFailures.map((test: { failureId: number }) => test.failureId),
      [failureId],
    )
    const { tests } = await explain()
    assert.deepEqual(
      tests.map((test) => test.failureId),
      [failureId],
    )
  })
})
