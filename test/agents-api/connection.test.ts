import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { connectAgent } from '../../apps/server/src/testing/agents.ts'
import { createSecondWorkspace } from '../../apps/server/src/testing/second-workspace.ts'
import { createApplication, uploadApk } from '../../apps/server/src/testing/upload.ts'
import { startWalk, type Walk } from '../company-api/walk.ts'

const accept = { Accept: 'application/json, text/event-stream' }
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const paths = ['/mcp', '/mcp/write']
const names = [
  'list_applications',
  'list_builds',
  'get_build',
  'compare_builds',
  'list_crashes',
  'explain_crash',
  'get_crash',
  'list_tests',
  'get_test_run',
  'explain_test_failure',
  'symbolicate',
  'read_text',
]
const writing = ['set_crash_status', 'quarantine_test', 'set_release_notes']

describe('The API of agents: connections and rights', () => {
  let walk: Walk
  let build: { id: number }
  before(async () => {
    walk = await startWalk()
    await createApplication(walk.server, 'shop')
    build = await uploadApk(walk.server, { alias: 'shop' })
  })
  after(() => walk?.[Symbol.asyncDispose]())

  const post = (path: string, status: number, headers: Record<string, string>, json: unknown = ping) =>
    walk.answer(`POST ${path}`, status, { token: null, json, headers: { ...accept, ...headers } })

  it('answers POST alone, without sessions', async () => {
    const { server } = walk
    const own = { Authorization: `Bearer ${server.token}` }
    for (const path of paths) {
      assert.equal((await post(path, 200, own)).headers.get('mcp-session-id'), null)
      for (const method of ['GET', 'DELETE']) {
        assert.equal((await walk.answer(`${method} ${path}`, 405)).headers.get('allow'), 'POST')
      }
    }
  })

  it('speaks three revisions of the protocol, and tells of untrusted text', async () => {
    const own = { Authorization: `Bearer ${walk.server.token}` }
    for (const protocolVersion of ['2025-11-25', '2025-06-18']) {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } }
      const { text } = await post('/mcp', 200, own, { ...ping, method: 'initialize', params })
      const [, data = text] = /^data: (.+)$/m.exec(text) ?? []
      const { result } = JSON.parse(data)
      assert.equal(result.protocolVersion, protocolVersion)
      assert.match(result.instructions, /untrusted/)
    }
    const lists = []
    for (const mode of ['auto', 'legacy'] as const) {
      await using agent = await connectAgent(walk.server, { mode })
      assert.match(agent.client.getInstructions() ?? '', /untrusted/)
      lists.push((await agent.client.listTools()).tools)
      if (mode === 'auto') assert.equal(agent.client.getNegotiatedProtocolVersion(), '2026-07-28')
    }
    assert.deepEqual(lists[0], lists[1])
  })

  it('takes a token in one of two headers, as REST does, and never a cookie', async () => {
    const { server, viewer } = walk
    const bearer = { Authorization: `Bearer ${server.token}` }
    await post('/mcp', 200, bearer)
    await post('/mcp', 200, { 'X-Service-Token': server.token })
    await post('/mcp', 200, { ...bearer, 'X-Service-Token': server.token })
    for (const headers of [
      {},
      { ...bearer, 'X-Service-Token': viewer },
      { Authorization: 'Bearer wrong' },
      { Cookie: 'fairlead_session=x' },
    ]) {
      const refused = await post('/mcp', 401, headers)
      assert.equal(refused.headers.get('www-authenticate'), 'Bearer realm="fairlead"')
      assert.deepEqual([refused.json.httpStatus, refused.json.title], [401, 'Unauthorized'])
    }
    await walk.answer('GET /v1/applications', 200, { token: null, headers: bearer })
    for (const path of ['oauth-protected-resource', 'oauth-protected-resource/mcp']) {
      const missing = await walk.answer(`GET /.well-known/${path}`, 404, { token: null })
      assert.equal(missing.json.httpStatus, 404)
    }
  })

  it('refuses other origins, other hosts and large bodies', async () => {
    const { server } = walk
    const { port } = new URL(server.url)
    const own = { 'X-Service-Token': server.token }
    assert.equal(await sendRaw(server.url, { ...own, Origin: `http://localhost:${port}` }), 200)
    assert.equal(await sendRaw(server.url, { ...own, Origin: 'https://elsewhere.example' }), 403)
    assert.equal(await sendRaw(server.url, { ...own, Host: 'elsewhere.example' }), 403)
    await post('/mcp', 413, own, { ...ping, params: { text: 'x'.repeat(2 ** 20) } })
    const json = { ...own, 'content-type': 'application/json' }
    const body = gzipSync('{'.repeat(1000))
    const { status } = await server.call('POST', '/mcp', { headers: { ...accept, ...json }, body })
    assert.ok(status >= 400 && status < 500, String(status))
  })

  it('lists its tools in a fixed order, with closed inputs and hints', async () => {
    await using agent = await connectAgent(walk.server)
    const { tools } = await agent.client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      names,
    )
    assert.ok(JSON.stringify(tools).length / 4 <= 8000)
    for (const { name, inputSchema, outputSchema, annotations, description } of tools) {
      assert.equal(inputSchema.additionalProperties, false, name)
      assert.equal(outputSchema?.type, 'object', name)
      assert.ok(description, name)
      assert.deepEqual(annotations, { readOnlyHint: true, openWorldHint: false }, name)
      for (const [field, schema] of Object.entries(inputSchema.properties ?? {})) {
        const { description: words, type, minimum, maximum, default: usual } = Object(schema)
        assert.ok(words, `${name}.${field}`)
        if (field.endsWith('Id') && field !== 'sourceId') assert.deepEqual([type, minimum], ['integer', 1], field)
        if (field === 'limit') assert.deepEqual([type, minimum, maximum, usual], ['integer', 1, 50, 20], name)
      }
    }
    await assert.rejects(agent.client.callTool({ name: 'call_api', arguments: {} }), { code: -32602 })
  })

  it('fails in one form, with the code of REST and a next step', async () => {
    const { server } = walk
    await using agent = await connectAgent(server)
    const attempts: [string, Record<string, unknown>, string][] = [
      ['list_builds', { application: 'nothing' }, 'aliasNotFound'],
      ['get_build', { buildId: 999_999 }, 'buildNotFound'],
      ['compare_builds', { buildId: build.id, baseBuildId: 999_999 }, 'buildNotFound'],
      ['explain_crash', { crashGroupId: 999_999 }, 'crashGroupNotFound'],
      ['explain_crash', { crashId: 999_999 }, 'crashNotFound'],
      ['explain_crash', { application: 'shop', sourceId: 'none' }, 'crashNotFound'],
      ['explain_crash', {}, 'invalidInput'],
      ['explain_crash', { crashId: 1, crashGroupId: 1 }, 'invalidInput'],
      ['explain_crash', { application: 'shop' }, 'invalidInput'],
      ['get_crash', { crashId: 999_999 }, 'crashNotFound'],
      ['get_test_run', { testRunId: 999_999 }, 'testRunNotFound'],
      ['get_test_run', { buildId: build.id }, 'testRunNotFound'],
      ['get_test_run', { buildId: build.id, testRunId: 1 }, 'invalidInput'],
      ['explain_test_failure', { failureId: 999_999 }, 'testFailureNotFound'],
      ['symbolicate', { application: 'shop', report: 'x', buildId: 999_999 }, 'buildNotFound'],
      ['read_text', { ref: 'build.999999.fileName' }, 'textNotFound'],
      ['list_builds', { application: 'shop', cursor: 'no cursor' }, 'invalidCursor'],
    ]
    for (const [tool, input, code] of attempts) {
      assert.equal((await agent.refuse(tool, input)).code, code, `${tool} ${JSON.stringify(input)}`)
    }
    for (const [tool, input] of [
      ['get_build', { buildId: 0 }],
      ['get_build', { buildId: 1.5 }],
      ['list_builds', { application: 'shop', limit: 51 }],
      ['list_builds', { application: 'shop', limit: 0 }],
      ['list_builds', { application: 'shop', other: 1 }],
      ['list_tests', { application: 'shop', state: 'asleep' }],
      ['symbolicate', { application: 'shop', report: 'x'.repeat(200_001) }],
    ] as const) {
      assert.equal((await agent.refuse(tool, input)).code, 'inputValidation', tool)
    }
    await using stranger = await connectAgent(server, { token: await createSecondWorkspace(server) })
    for (const [tool, field] of [
      ['get_build', 'buildId'],
      ['compare_builds', 'buildId'],
      ['get_test_run', 'buildId'],
    ] as const) {
      const foreign = await stranger.refuse(tool, { [field]: build.id })
      assert.deepEqual(foreign, await stranger.refuse(tool, { [field]: 999_999 }), tool)
      const { json } = await server.call('GET', '/v1/builds/999999')
      assert.equal(foreign.detail, json.detail)
    }
  })

  it('writes at an address of its own, when an administrator has turned it on', async () => {
    const { ask, server, developer, viewer } = walk
    const path = '/mcp/write'
    const listNames = async (token: string) => {
      await using agent = await connectAgent(server, { path, token })
      return (await agent.client.listTools()).tools.map(({ name }) => name)
    }
    assert.equal((await ask('GET /v1/workspace', 200)).agentWrites, false)
    assert.deepEqual(await listNames(server.token), names)
    await ask('PATCH /v1/workspace', 403, { json: { agentWrites: true }, token: developer })
    await using agent = await connectAgent(server, { path, token: developer })
    const notes = { buildId: build.id, releaseNotes: 'Faster' }
    assert.ok((await agent.refuse('set_release_notes', notes)).next)
    assert.equal((await ask('PATCH /v1/workspace', 200, { json: { agentWrites: true } })).agentWrites, true)
    assert.equal((await ask('GET /v1/workspace', 200)).agentWrites, true)
    assert.deepEqual(await listNames(developer), [...names, ...writing])
    assert.deepEqual(await listNames(viewer), names)
    await using reader = await connectAgent(server, { path, token: viewer })
    assert.equal((await reader.refuse('set_release_notes', notes)).code, 'forbidden')
    const { tools } = await agent.client.listTools()
    for (const { annotations } of tools.slice(names.length)) {
      const { readOnlyHint, destructiveHint, idempotentHint } = annotations ?? {}
      assert.equal(readOnlyHint, false)
      assert.deepEqual([typeof destructiveHint, typeof idempotentHint], ['boolean', 'boolean'])
    }
    assert.equal((await agent.call('set_release_notes', notes)).untrusted.releaseNotes, 'Faster')
    const [event] = await ask('GET /v1/auditEvents?limit=1', 200)
    assert.equal(event.action, 'build.update')
    const { via, tool, client } = event.details
    assert.deepEqual([via, tool, client], ['mcp', 'set_release_notes', 'agent of the tests'])
    assert.equal((await agent.refuse('set_release_notes', { ...notes, buildId: 999_999 })).code, 'buildNotFound')
    assert.equal((await agent.refuse('quarantine_test', { testId: 999_999, reason: 'x' })).code, 'testNotFound')
    const status = { crashGroupId: 999_999, status: 'resolved' }
    assert.equal((await agent.refuse('set_crash_status', status)).code, 'crashGroupNotFound')
  })
})

/** Sends headers that `fetch` would not. */
function sendRaw(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const own = { ...accept, 'Content-Type': 'application/json', ...headers }
  const sent = request(`${url}/mcp`, { method: 'POST', headers: own }, (response) => {
    response.resume()
    resolve(response.statusCode)
  })
  sent.on('error', reject)
  sent.end(JSON.stringify(ping))
  return promise
}
