/** Whatever a token sees through the tools, the API shows it too, and the other way round. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { type Agent, connectAgent } from '../testing/agents.ts'
import { createCrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import { createSecondWorkspace } from '../testing/second-workspace.ts'
import { type Answer, type CallOptions, startServer } from '../testing/start-server.ts'
import { completeRun, uploadReport } from '../testing/test-reports.ts'
import { uploadApk } from '../testing/upload.ts'
import { cleanText } from './untrusted.ts'

const roles = ['viewer', 'developer', 'admin'] as const

/** Ids of everything that one workspace has. */
interface Filled {
  applications: number[]
  builds: number[]
  crashGroups: number[]
  crashes: number[]
  runs: number[]
  failures: number[]
  tests: number[]
}

/** No workspace has these. */
const unknown = 900_000

describe('the rights of a token at the tools', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const asToken = (token: string) => ({
    url: server.url,
    token,
    call: (method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
      server.call(method, path, { token, ...options }),
  })
  type Door = ReturnType<typeof asToken>
  const first = asToken(server.token)
  const second = asToken(await createSecondWorkspace(server))

  const ids = (answer: Answer): number[] => answer.json.map((row: { id: number }) => row.id)

  /** Both workspaces use the same names and commits, so that nothing but the workspace tells them apart. */
  const fill = async (door: Door, word: string): Promise<Filled> => {
    const app = await createCrashApplication(door, 'shop')
    const builds = []
    for (const version of [1, 2, 3]) {
      const apk = { packageName: `org.shop.${word}`, versionName: `1.${version}`, versionCode: version }
      const headers = { 'X-Service-Branch': `main-${word}`, 'X-Service-Commit': String(version).repeat(40) }
      const { id } = await uploadApk(door, { alias: 'shop', apk, headers })
      await door.call('PATCH', `/v2/builds/${id}`, { json: { releaseNotes: `notes of ${word}\u200b` } })
      const file = { path: `src/org/shop/${word}/Cart.java`, status: 'M' }
      const commit = { id: String(version).repeat(40), date: '2026-11-20T10:00:00Z', subject: `by ${word}` }
      const json = { base: null, head: commit.id, commits: [{ ...commit, files: [file] }] }
      assert.equal((await door.call('PUT', `/v1/builds/${id}/commits`, { json })).status, 200)
      builds.push(id)
    }
    for (const method of ['open', 'pay', 'empty']) {
      const trace = `java.lang.Error: ${word}\n\tat org.shop.${word}.Cart.${method}(Cart.java:3)`
      const headers = { 'X-Service-Crash-Key': app.key, 'X-Service-Version-Name': '1.2', 'X-Service-Version-Code': '2' }
      const path = `/v1/applications/${app.id}/crashes`
      const sent = await door.call('POST', path, { headers, body: trace })
      if (sent.status >= 300) assert.ok((await deliver(door, app, 'raw', trace)).status < 300, sent.text)
    }
    await waitUntilRead(door, app.id)
    const crashGroups = ids(await door.call('GET', `/v1/applications/${app.id}/crashGroups`))
    const crashes = []
    for (const id of crashGroups) crashes.push(...ids(await door.call('GET', `/v1/crashGroups/${id}/crashes`)))
    const cases = [{ name: `a ${word}`, failure: `no ${word}` }, { name: 'b' }]
    const { run } = await uploadReport(door, cases, { branch: `main-${word}`, buildId: builds[1] ?? 0, key: 'ci' })
    await completeRun(door, run.id)
    const results = await door.call('GET', `/v1/testRuns/${run.id}/results?outcome=failed`)
    const failures = results.json.map(({ failureId }: { failureId: number }) => failureId)
    const tests = ids(await door.call('GET', `/v1/applications/${app.id}/tests`))
    // A build in the trash is in no list, and has no page of its own.
    assert.equal((await door.call('DELETE', `/v1/builds/${builds[2]}`)).status, 204)
    return { applications: [app.id], builds, crashGroups, crashes, runs: [run.id], failures, tests }
  }

  const own = { first: await fill(first, 'amber'), second: await fill(second, 'coral') }
  assert.equal(own.first.crashGroups.length, 3)
  assert.equal(own.first.failures.length, 1)
  const all = (kind: keyof Filled): number[] => [...own.first[kind], ...own.second[kind], unknown]

  const callers: { name: string; door: Door; own: Filled; foreign: string }[] = []
  for (const [name, door, filled, foreign] of [
    ['first', first, own.first, 'coral'],
    ['second', second, own.second, 'amber'],
  ] as const) {
    for (const role of roles) {
      const { json } = await door.call('POST', '/v1/apiTokens', { json: { name: `a ${role}`, role } })
      callers.push({ name: `a ${role} of the ${name} workspace`, door: asToken(json.token), own: filled, foreign })
    }
  }

  for (const { name, door, own: filled, foreign } of callers) {
    it(`are those of the API for ${name}`, async () => {
      await using agent = await connectAgent(door)
      const seen: unknown[] = []
      const shown: unknown[] = []

      /** Asks both ways for one thing; either both have it, or both say that it is not there. */
      const compare = async (tool: string, input: Record<string, unknown>, path: string, isOwn: boolean) => {
        const answer = await door.call('GET', path)
        if (answer.status === 200) {
          assert.ok(isOwn, `${path} is of another workspace`)
          shown.push(answer.json)
          seen.push(await agent.call(tool, input))
          return
        }
        assert.equal(answer.status, 404, `${path}: ${answer.text}`)
        const { code, detail } = await agent.refuse(tool, input)
        assert.match(code, /NotFound$/, tool)
        // Word for word as REST says it of a thing that does not exist.
        const missing = await door.call('GET', path.replace(/\/\d+/, `/${unknown}`))
        assert.deepEqual([answer.json.title, answer.json.detail], [missing.json.title, missing.json.detail])
        assert.equal(detail, answer.json.detail, tool)
      }
      const compareAll = async (kind: keyof Filled, tool: string, field: string, toPath: (id: number) => string) => {
        for (const id of all(kind)) await compare(tool, { [field]: id }, toPath(id), filled[kind].includes(id))
      }

      await compareAll('builds', 'get_build', 'buildId', (id) => `/v1/builds/${id}`)
      await compareAll('builds', 'compare_builds', 'buildId', (id) => `/v1/builds/${id}/comparison`)
      await compareAll('crashGroups', 'explain_crash', 'crashGroupId', (id) => `/v1/crashGroups/${id}/explanation`)
      await compareAll('crashes', 'get_crash', 'crashId', (id) => `/v1/crashes/${id}`)
      await compareAll('crashes', 'explain_crash', 'crashId', (id) => `/v1/crashes/${id}`)
      await compareAll('runs', 'get_test_run', 'testRunId', (id) => `/v1/testRuns/${id}`)
      await compareAll('failures', 'explain_test_failure', 'failureId', (id) => `/v1/testFailures/${id}/explanation`)

      const [applicationId = 0] = filled.applications
      const application = 'shop'
      const at = `/v1/applications/${applicationId}`
      const lists = [
        ['list_applications', {}, 'applications', 'applicationId', '/v1/applications'],
        ['list_builds', { application }, 'builds', 'buildId', `${at}/builds`],
        ['list_crashes', { application }, 'crashGroups', 'crashGroupId', `${at}/crashGroups`],
        ['list_tests', { application, state: 'failing' }, 'tests', 'testId', `${at}/tests?state=failing`],
      ] as const
      for (const [tool, input, rows, id, path] of lists) {
        const listed = await door.call('GET', path)
        assert.equal(listed.status, 200, listed.text)
        shown.push(listed.json)
        const found = await listAll(agent, tool, { ...input, ...(tool !== 'list_applications' && { limit: 1 }) }, rows)
        seen.push(found)
        assert.deepEqual(new Set(found.map((row) => row[id])), new Set(ids(listed)), tool)
      }
      assert.equal((await door.call('GET', `${at}/builds`)).json.length, 2)

      for (const buildId of filled.builds.slice(0, 2)) {
        shown.push((await door.call('GET', `/v1/builds/${buildId}/commits`)).json)
      }
      for (const id of filled.crashGroups) {
        shown.push((await door.call('GET', `/v1/crashGroups/${id}`)).json)
        shown.push((await door.call('GET', `/v1/crashGroups/${id}/explanation`)).json)
      }
      for (const id of filled.runs) shown.push((await door.call('GET', `/v1/testRuns/${id}/results`)).json)
      for (const id of filled.failures) shown.push((await door.call('GET', `/v1/testFailures/${id}`)).json)

      const texts = new Set(shown.flatMap(listTexts).map(cleanText))
      const told = seen.flatMap((answer) => listUntrusted(answer))
      assert.ok(told.length > 50, String(told.length))
      for (const text of told) assert.ok(texts.has(text), `${text} is in no answer of the API`)
      assert.ok(!JSON.stringify(seen).includes(foreign))

      for (const buildId of all('builds')) {
        const { status } = await door.call('GET', `/v1/builds/${buildId}`)
        const input = { ref: `build.${buildId}.releaseNotes` }
        if (status === 200) assert.match((await agent.call('read_text', input)).untrusted.text, /^notes of/)
        else assert.equal((await agent.refuse('read_text', input)).code, 'textNotFound')
        const report = 'java.lang.Error: x\n\tat org.shop.Cart.open(Cart.java:3)'
        const pasted = { application, report, buildId }
        if (status === 200) await agent.call('symbolicate', pasted)
        else assert.equal((await agent.refuse('symbolicate', pasted)).code, 'buildNotFound')
      }
    })
  }

  it('let the writing tools do what the API lets the same token do, and nothing else', async () => {
    for (const door of [first, second]) {
      assert.equal((await door.call('PATCH', '/v1/workspace', { json: { agentWrites: true } })).status, 200)
    }
    for (const { name, door, own: filled } of callers) {
      await using agent = await connectAgent(door, { path: '/mcp/write' })
      for (const buildId of all('builds')) {
        const json = { releaseNotes: 'notes of a tool' }
        const { status } = await door.call('PATCH', `/v2/builds/${buildId}`, { json })
        await expectLike(agent, status, 'set_release_notes', { buildId, ...json }, `${name}, build ${buildId}`)
      }
      for (const crashGroupId of all('crashGroups')) {
        const json = { status: 'resolved' }
        const { status } = await door.call('PATCH', `/v1/crashGroups/${crashGroupId}`, { json })
        await expectLike(agent, status, 'set_crash_status', { crashGroupId, ...json }, name)
      }
      for (const testId of all('tests')) {
        const json = { testId, reason: 'it waits' }
        const { status } = await door.call('POST', `/v1/applications/${filled.applications[0]}/quarantine`, { json })
        await expectLike(agent, status, 'quarantine_test', json, name)
      }
    }
  })
})

/** Calls a tool that must be answered as REST has answered. */
async function expectLike(agent: Agent, status: number, tool: string, input: Record<string, unknown>, of: string) {
  if (status < 300) {
    await agent.call(tool, input)
    return
  }
  const { code } = await agent.refuse(tool, input)
  if (status === 403) assert.equal(code, 'forbidden', of)
  // The API answers with 422 where the body names what is not there, and with 404 where the path does.
  else assert.ok((status === 404 || status === 422) && code.endsWith('NotFound'), `${of}: ${status} and ${code}`)
}

async function listAll(agent: Agent, tool: string, input: Record<string, unknown>, field: string) {
  const rows: Record<string, unknown>[] = []
  let cursor: string | null = null
  do {
    const page: Record<string, unknown> = await agent.call(tool, { ...input, ...(cursor !== null && { cursor }) })
    const { [field]: items, nextCursor } = page
    assert.ok(Array.isArray(items) && (nextCursor === null || typeof nextCursor === 'string'))
    rows.push(...items)
    cursor = nextCursor
  } while (cursor !== null)
  return rows
}

/** Every string within a value. */
function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : []
}

/** Every string under a key `untrusted`. */
function listUntrusted(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'untrusted' ? listTexts(inner) : listUntrusted(inner),
  )
}
