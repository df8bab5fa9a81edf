import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Agent, connectAgent } from '../testing/agents.ts'
import { createCrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import { createSecondWorkspace } from '../testing/second-workspace.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { completeRun, uploadReport } from '../testing/test-reports.ts'
import { uploadApk } from '../testing/upload.ts'

const hashes = { first: 'a1'.repeat(20), guilty: 'b2'.repeat(20), other: 'c3'.repeat(20) }
const gate = 'app/src/main/java/org/tarn/sync/Gate.kt'
const longSubject = `Keep the gate open ${'while it is written '.repeat(30)}`
const mapping =
  'org.tarn.sync.Gate -> a.b:\n# {"id":"sourceFile","fileName":"Gate.kt"}\n    1:9:void open(int):40:48 -> a\n'

describe('explanations for agents', () => {
  let server: TestServer
  let agent: Agent
  let builds: number[]
  let runs: number[]

  before(async () => {
    server = await startServer()
    agent = await connectAgent(server)
    const app = await createCrashApplication(server, 'tarn')
    builds = []
    runs = []
    for (const [index, commit] of [hashes.first, hashes.other].entries()) {
      const apk = { packageName: 'org.tarn', versionName: `1.${index}`, versionCode: index + 1 }
      const headers = { 'X-Service-Branch': 'main', 'X-Service-Commit': commit }
      builds.push((await uploadApk(server, { alias: 'tarn', apk, headers })).id)
      const symbols = {
        'X-Service-Application-Alias': 'tarn',
        'X-Service-Package': 'org.tarn',
        'X-Service-Version-Name': `1.${index}`,
        'X-Service-Version-Code': String(index + 1),
      }
      assert.equal((await server.call('POST', '/v2/symbolsFiles', { headers: symbols, body: mapping })).status, 201)
    }
    const file = { path: gate, status: 'M', hunks: [[42, 2]] }
    const json = {
      base: hashes.first,
      head: hashes.other,
      commits: [
        { id: hashes.other, date: '2026-11-20T10:00:00Z', files: [{ path: 'README.md', status: 'M' }] },
        {
          id: hashes.guilty,
          date: '2026-11-19T10:00:00Z',
          subject: longSubject,
          author: { name: 'Mara' },
          files: [file],
        },
      ],
    }
    const sent = await server.call('PUT', `/v1/builds/${builds[1]}/commits`, { json })
    assert.equal(sent.status, 200, sent.text)
    const owners = { content: `${gate.replace(/\/[^/]+$/, '/')} @tarn/sync ada@example.com eve@elsewhere.example\n` }
    const owned = await server.call('PUT', `/v1/applications/${app.id}/owners`, { json: owners })
    assert.ok(owned.status < 300, owned.text)
    const group = await server.call('POST', '/v1/distributionGroups', { json: { name: 'QA' } })
    await server.call('POST', `/v1/distributionGroups/${group.json.id}/testers`, {
      json: { emails: ['ada@example.com'] },
    })
    for (const [index, line] of [
      [0, 'java.lang.Error: x\n\tat org.other.Thing.run(Thing.java:3)'],
      [1, 'java.lang.IllegalStateException: no gate\n\tat a.b.a(SourceFile:4)\n\tat android.os.Handler.run(H.java:9)'],
    ] as const) {
      const report = {
        REPORT_ID: `${index}1111111-1111-4111-8111-111111111111`,
        PACKAGE_NAME: 'org.tarn',
        APP_VERSION_NAME: `1.${index}`,
        APP_VERSION_CODE: index + 1,
        PHONE_MODEL: 'Pixel 9',
        STACK_TRACE: line,
        USER_CRASH_DATE: '2026-11-20T10:00:00.000+00:00',
      }
      assert.equal((await deliver(server, app, 'acra-json', JSON.stringify(report))).status, 200)
    }
    await waitUntilRead(server, app.id)
    for (const [index, failure] of [undefined, 'expected open'].entries()) {
      const cases = [{ name: 'opens', class: 'org.tarn.sync.Gate', ...(failure !== undefined && { failure }) }]
      const commit = index === 0 ? hashes.first : hashes.other
      const options = { alias: 'tarn', branch: 'main', commit, buildId: builds[index] ?? 0 }
      const { run } = await uploadReport(server, cases, options)
      await completeRun(server, run.id)
      runs.push(run.id)
    }
  })
  after(async () => {
    await agent[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  const findGroup = async () => {
    const { crashGroups } = await agent.call('list_crashes', { application: 'tarn', query: 'gate' })
    const group: { crashGroupId: number } = crashGroups[0]
    return group
  }

  it('name the line, the first build, the commit and the owner of a crash in one call', async () => {
    const { crashGroupId } = await findGroup()
    const found = await agent.call('explain_crash', { crashGroupId })
    assert.deepEqual(
      [found.location.line, found.location.untrusted],
      [43, { file: 'Gate.kt', function: 'org.tarn.sync.Gate.open', path: gate }],
    )
    assert.deepEqual(
      [found.introduced.buildId, found.introduced.previousBuildId, found.introduced.isCertain],
      [builds[1], builds[0], true],
    )
    assert.deepEqual(found.introduced.commits, {
      state: 'complete',
      base: hashes.first,
      head: hashes.other,
      count: 2,
    })
    const [suspect] = found.suspects
    assert.equal(suspect.commit, hashes.guilty)
    assert.deepEqual(suspect.reasons, [{ code: 'line', frame: 0, line: 43 }])
    assert.deepEqual(suspect.untrusted.paths, [gate])
    assert.ok(suspect.untrusted.subject.endsWith('…'))
    const rest = await agent.call('read_text', { ref: suspect.more[0].ref })
    assert.equal(rest.untrusted.text, longSubject)
    assert.deepEqual(found.owners, [{ untrusted: { path: gate, owners: ['@tarn/sync', 'eve@elsewhere.example'] } }])
    assert.deepEqual(found.frames[0].isResolved, true)
    assert.deepEqual(found.crash.untrusted.exceptions, [
      { type: 'java.lang.IllegalStateException', message: 'no gate' },
    ])
    assert.equal(found.next.length, 1)
    const { crashId } = found.crash
    assert.deepEqual(await agent.call('explain_crash', { crashId }), found)
    const sourceId = '11111111-1111-4111-8111-111111111111'
    assert.deepEqual(await agent.call('explain_crash', { application: 'tarn', sourceId }), found)
    const crash = await agent.call('get_crash', { crashId })
    assert.deepEqual(crash.location, found.location)
    const path = await agent.call('read_text', { ref: `crash.${crashId}.location.path` })
    assert.equal(path.untrusted.text, gate)
  })

  it('agree with the API, and name no e-mail address of a tester', async () => {
    const { crashGroupId } = await findGroup()
    const found = await agent.call('explain_crash', { crashGroupId })
    const { json } = await server.call('GET', `/v1/crashGroups/${crashGroupId}/explanation`)
    for (const field of ['introduced', 'build', 'next', 'crashCount', 'applicationId', 'url'] as const) {
      assert.deepEqual(found[field], json[field], field)
    }
    assert.ok(!JSON.stringify(found).includes('ada@example.com'))
  })

  it('take exactly one way to name a crash', async () => {
    for (const input of [
      {},
      { crashGroupId: 1, crashId: 1 },
      { application: 'tarn' },
      { sourceId: 'x' },
      { crashId: 1, application: 'tarn', sourceId: 'x' },
    ]) {
      assert.equal((await agent.refuse('explain_crash', input)).code, 'invalidInput', JSON.stringify(input))
    }
    assert.equal((await agent.refuse('explain_crash', { crashGroupId: 9999 })).code, 'crashGroupNotFound')
    assert.equal((await agent.refuse('explain_crash', { crashId: 9999 })).code, 'crashNotFound')
    assert.equal((await agent.refuse('explain_crash', { application: 'tarn', sourceId: 'x' })).code, 'crashNotFound')
    assert.equal((await agent.refuse('explain_crash', { application: 'no', sourceId: 'x' })).code, 'aliasNotFound')
  })

  it('say since which run a test fails, and which commit may have caused it', async () => {
    const { failures } = await agent.call('get_test_run', { testRunId: runs[1] })
    const found = await agent.call('explain_test_failure', { failureId: failures[0].failureId })
    assert.deepEqual(found.range, {
      lastPassed: { testRunId: runs[0], commit: hashes.first, buildId: builds[0] },
      firstFailed: { testRunId: runs[1], commit: hashes.other, buildId: builds[1] },
    })
    assert.equal(found.untrusted.message, 'expected open')
    assert.equal(found.suspects[0].commit, hashes.guilty)
    assert.equal((await agent.refuse('explain_test_failure', { failureId: 9999 })).code, 'testFailureNotFound')
  })

  it('say what changed between two builds', async () => {
    const found = await agent.call('compare_builds', { buildId: builds[1] })
    assert.deepEqual(await agent.call('compare_builds', { buildId: builds[1], baseBuildId: builds[0] }), found)
    assert.deepEqual([found.baseBuildId, found.commits.state, found.commits.count], [builds[0], 'complete', 2])
    assert.deepEqual(
      found.commits.items.map(({ commit }: { commit: string }) => commit),
      [hashes.other, hashes.guilty],
    )
    const [cut] = found.commits.items[1].more
    assert.equal((await agent.call('read_text', { ref: cut.ref })).untrusted.text, longSubject)
    assert.equal(found.newCrashGroups.length, 1)
    assert.deepEqual([found.tests.newFailureCount, found.tests.fixedCount], [1, 0])
    const build = await agent.call('get_build', { buildId: builds[1] })
    assert.deepEqual([build.previousBuildId, build.newCrashGroupCount, build.verdict.result], [builds[0], 1, 'fail'])
    assert.deepEqual(build.commits, { state: 'complete', base: hashes.first, head: hashes.other, count: 2 })
    assert.equal((await agent.refuse('get_build', { buildId: 9999 })).code, 'buildNotFound')
    assert.equal((await agent.refuse('compare_builds', { buildId: 9999 })).code, 'buildNotFound')
  })

  it('find suspects for a report that somebody pasted, if they know its build', async () => {
    const report = 'java.lang.Error: x\n\tat a.b.a(SourceFile:4)'
    const found = await agent.call('symbolicate', { application: 'tarn', report, buildId: builds[1] })
    assert.deepEqual([found.location.line, found.location.untrusted.path], [43, gate])
    assert.equal(found.suspects[0].commit, hashes.guilty)
  })

  it('tell another workspace nothing', async () => {
    await using stranger = await connectAgent(server, { token: await createSecondWorkspace(server) })
    const { crashGroupId } = await findGroup()
    for (const [tool, id, code] of [
      ['explain_crash', { crashGroupId }, 'crashGroupNotFound'],
      ['explain_crash', { crashId: 2 }, 'crashNotFound'],
      ['explain_test_failure', { failureId: 1 }, 'testFailureNotFound'],
      ['get_crash', { crashId: 1 }, 'crashNotFound'],
      ['get_build', { buildId: builds[0] }, 'buildNotFound'],
      ['compare_builds', { buildId: builds[0] }, 'buildNotFound'],
      ['get_test_run', { testRunId: runs[0] }, 'testRunNotFound'],
      ['read_text', { ref: `commits.${builds[1]}.${hashes.guilty}.subject` }, 'textNotFound'],
      ['read_text', { ref: `crashExplanation.${crashGroupId}.suspects.0.subject` }, 'textNotFound'],
    ] as const) {
      const unknown = Object.fromEntries(
        Object.keys(id).map((key) => [key, key === 'ref' ? 'build.9.version' : 99_999]),
      )
      const failure = await stranger.refuse(tool, id)
      assert.equal(failure.code, code, tool)
      assert.deepEqual(await stranger.refuse(tool, unknown), failure)
    }
  })
})
