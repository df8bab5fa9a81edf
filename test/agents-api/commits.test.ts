import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { connectAgent } from '../../apps/server/src/testing/agents.ts'
import { createCrashApplication, deliver, waitUntilRead } from '../../apps/server/src/testing/crashes.ts'
import { uploadApk } from '../../apps/server/src/testing/upload.ts'
import { hasFields, startWalk, type Walk } from '../company-api/walk.ts'

const hash = (digit: string) => digit.repeat(40)
const commit = (digit: string, files: object[] = []) => ({ id: hash(digit), date: '2026-11-20T10:00:00Z', files })
const commitsFields = 'buildId base head count fileCount isComplete isTruncated receivedDate'

describe('The API of commits of builds', () => {
  let walk: Walk
  let app: Awaited<ReturnType<typeof createCrashApplication>>
  let builds: number[]
  let path: string
  before(async () => {
    walk = await startWalk()
    app = await createCrashApplication(walk.server, 'tarn')
    builds = []
    for (const version of [1, 2]) {
      const apk = { packageName: 'org.tarn', versionName: `1.${version}`, versionCode: version }
      const headers = { 'X-Service-Branch': 'main', 'X-Service-Commit': hash(String(version)) }
      builds.push((await uploadApk(walk.server, { alias: 'tarn', apk, headers })).id)
    }
    path = `/v1/builds/${builds[1]}/commits`
  })
  after(() => walk?.[Symbol.asyncDispose]())

  const put = (json: object, status: number) => walk.ask(`PUT ${path}`, status, { json })
  const state = async () => {
    await using agent = await connectAgent(walk.server)
    return (await agent.call('get_build', { buildId: builds[1] })).commits
  }

  it('are replaced by developers and read by viewers, newest first and in pages', async () => {
    const { ask, answer, developer, viewer } = walk
    assert.deepEqual(await state(), { state: 'none', base: null, head: null, count: 0 })
    const full = {
      id: 'A'.repeat(64),
      date: '2026-11-20T12:00:00+02:00',
      subject: 'Open the gate',
      author: { name: 'Mara', email: 'mara@example.com' },
      files: [{ path: 'b.kt', status: 'R', previousPath: 'a.kt', hunks: [[3, 2]] }],
    }
    const json = { base: hash('1'), head: 'A'.repeat(64), commits: [full, commit('c', [{ path: 'x', status: 'M' }])] }
    await ask(`PUT ${path}`, 403, { json, token: viewer })
    const saved = await ask(`PUT ${path}`, 200, { json, token: developer })
    hasFields(saved, commitsFields)
    assert.deepEqual(
      [saved.buildId, saved.base, saved.count, saved.fileCount, saved.isComplete, saved.isTruncated],
      [builds[1], hash('1'), 2, 2, true, false],
    )
    const listed = await ask(`GET ${path}`, 200, { token: viewer })
    assert.deepEqual(
      listed.map(({ id }: { id: string }) => id),
      ['a'.repeat(64), hash('c')],
    )
    assert.deepEqual(listed[0].files, full.files)
    assert.deepEqual(listed[0].author, full.author)
    assert.equal(Date.parse(listed[0].date), Date.parse(full.date))
    const page = await answer(`GET ${path}?limit=1`, 200)
    assert.equal(page.json.length, 1)
    const next = /[?&]cursor=([^&>]+)/.exec(page.headers.get('link') ?? '')?.[1]
    assert.deepEqual(await ask(`GET ${path}?limit=1&cursor=${next}`, 200), [listed[1]])
    assert.deepEqual(await state(), { state: 'complete', base: hash('1'), head: 'a'.repeat(64), count: 2 })
    await put({ base: null, head: hash('c'), isComplete: false, commits: [commit('c')] }, 200)
    assert.deepEqual(await state(), { state: 'partial', base: null, head: hash('c'), count: 1 })
    assert.equal((await ask(`GET ${path}`, 200)).length, 1)
  })

  it('are taken as gzip, within their limits', async () => {
    const zipped = gzipSync(JSON.stringify({ base: null, head: hash('d'), commits: [commit('d')] }))
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    assert.equal((await walk.ask(`PUT ${path}`, 200, { headers, body: zipped })).count, 1)
    const many = (count: number) => Array.from({ length: count }, () => commit('e'))
    await put({ base: null, head: hash('e'), commits: many(1000) }, 200)
    await put({ base: null, head: hash('e'), commits: many(1001) }, 422)
    const files = (count: number) => Array.from({ length: count }, (_, at) => ({ path: `f/${at}`, status: 'M' }))
    const wide = await put({ base: null, head: hash('e'), commits: [commit('e', files(301))] }, 200)
    assert.deepEqual([wide.fileCount, wide.isTruncated], [300, true])
    const all = Array.from({ length: 68 }, () => commit('e', files(299)))
    const full = await put({ base: null, head: hash('e'), commits: all }, 200)
    assert.deepEqual([full.fileCount, full.isTruncated], [20_000, true])
    const hunks = Array.from({ length: 101 }, (_, at) => [at, 1])
    const cut = await put(
      { base: null, head: hash('e'), commits: [commit('e', [{ path: 'a', status: 'M', hunks }])] },
      200,
    )
    assert.equal(cut.isTruncated, true)
    assert.equal((await walk.ask(`GET ${path}`, 200))[0].files[0].hunks.length, 100)
    const large = ' '.repeat(4 * 2 ** 20 + 1)
    await walk.answer(`PUT ${path}`, 413, { headers: { 'content-type': 'application/json' }, body: large })
  })

  it('are refused with errors when they are malformed, and keep what was there', async () => {
    const right = { base: null, head: hash('f'), commits: [commit('f')] }
    await put(right, 200)
    for (const wrong of [
      { ...right, head: 'main' },
      { ...right, head: hash('f').slice(1) },
      { ...right, base: 7 },
      { head: hash('f'), commits: [] },
      { ...right, commits: [{ ...commit('f'), date: 'yesterday' }] },
      { ...right, commits: [commit('f', [{ path: '', status: 'M' }])] },
      { ...right, commits: [commit('f', [{ path: 'x'.repeat(1001), status: 'M' }])] },
      { ...right, commits: [commit('f', [{ path: 'a\0b', status: 'M' }])] },
      { ...right, commits: [commit('f', [{ path: 'a', status: 'Q' }])] },
      { ...right, commits: [commit('f', [{ path: 'a', status: 'M', hunks: [[1]] }])] },
    ]) {
      const refused = await walk.server.call('PUT', path, { json: wrong })
      assert.ok([400, 422].includes(refused.status), refused.text)
      assert.ok(refused.json.errors.length > 0, refused.text)
    }
    for (const method of ['PUT', 'GET']) {
      const json = method === 'PUT' ? { json: right } : {}
      assert.equal((await walk.server.call(method, '/v1/builds/999999/commits', json)).status, 404)
    }
    assert.equal((await walk.ask(`GET ${path}`, 200)).length, 1)
  })

  it('make the explanation of a crash, in which a hunk with the line stands before the file elsewhere', async () => {
    const gate = 'app/src/main/java/org/tarn/sync/Gate.kt'
    const commits = [
      commit('a', [{ path: gate, status: 'M', hunks: [[400, 5]] }]),
      commit('b', [{ path: gate, status: 'M', hunks: [[42, 2]] }]),
    ]
    await put({ base: hash('1'), head: hash('2'), commits }, 200)
    const owners = { content: `${gate} @tarn/sync\n` }
    await walk.ask(`PUT /v1/applications/${app.id}/owners`, 200, { json: owners })
    const trace = 'java.lang.IllegalStateException: no gate\n\tat org.tarn.sync.Gate.open(Gate.kt:43)'
    for (const version of [1, 2]) {
      const report = {
        REPORT_ID: `${version}1111111-1111-4111-8111-111111111111`,
        PACKAGE_NAME: 'org.tarn',
        APP_VERSION_NAME: `1.${version}`,
        APP_VERSION_CODE: version,
        STACK_TRACE: version === 1 ? 'java.lang.Error: x\n\tat org.tarn.Other.run(Other.kt:3)' : trace,
        USER_CRASH_DATE: '2026-11-20T10:00:00.000+00:00',
      }
      assert.equal((await deliver(walk.server, app, 'acra-json', JSON.stringify(report))).status, 200)
    }
    await waitUntilRead(walk.server, app.id)
    const groups = await walk.ask(`GET /v1/applications/${app.id}/crashGroups?q=gate`, 200)
    const found = await walk.ask(`GET /v1/crashGroups/${groups[0].id}/explanation`, 200, { token: walk.viewer })
    assert.deepEqual(
      found.suspects.map(({ commit: id, rank }: { commit: string; rank: number }) => [rank, id]),
      [
        [1, hash('b')],
        [2, hash('a')],
      ],
    )
    assert.deepEqual(found.suspects[0].reasons, [{ code: 'line', frame: 0, line: 43 }])
    assert.ok(found.suspects.every(({ score }: { score: number }) => score >= 0 && score <= 1))
    assert.deepEqual([found.location.line, found.location.untrusted.path], [43, gate])
    assert.deepEqual(found.owners, [{ untrusted: { path: gate, owners: ['@tarn/sync'] } }])
    const { buildId, previousBuildId, isCertain } = found.introduced
    assert.deepEqual([buildId, previousBuildId, isCertain], [builds[1], builds[0], true])
    await walk.ask('GET /v1/crashGroups/999999/explanation', 404)
    await walk.ask('GET /v1/testFailures/999999/explanation', 404)
  })
})
