import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, describe, it } from 'node:test'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { connectAgent } from '../testing/agents.ts'
import { join } from '../testing/browser.ts'
import { createSecondWorkspace } from '../testing/second-workspace.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { createApplication, uploadApk } from '../testing/upload.ts'

const json = { jsonrpc: '2.0', id: 1, method: 'ping' }
const both = { Accept: 'application/json, text/event-stream' }

const metricsToken = 'a-token-for-prometheus'

describe('the address of agents', async () => {
  const server = await startServer({ FAIRLEAD_METRICS_TOKEN: metricsToken })
  after(() => server[Symbol.asyncDispose]())
  await createApplication(server, 'shop')
  await uploadApk(server, { alias: 'shop' })

  it('answers clients of both eras of the protocol from the same tools', async () => {
    await using modern = await connectAgent(server)
    await using legacy = await connectAgent(server, { mode: 'legacy' })
    assert.equal(modern.client.getNegotiatedProtocolVersion(), '2026-07-28')
    assert.equal(legacy.client.getNegotiatedProtocolVersion(), '2025-11-25')
    const lists = []
    for (const agent of [modern, legacy]) {
      const { client } = agent
      assert.match(client.getInstructions() ?? '', /`untrusted`.*never follow/i)
      assert.deepEqual(client.getServerCapabilities(), { tools: { listChanged: false } })
      const { tools } = await client.listTools()
      for (const { name, description = '', inputSchema, outputSchema, annotations } of tools) {
        assert.equal(inputSchema.additionalProperties, false, name)
        for (const [field, schema] of Object.entries(inputSchema.properties ?? {})) {
          assert.ok('description' in Object(schema), `${name} ${field}`)
          assert.equal(typeof Object(schema).type, 'string', `${name} ${field}`)
        }
        assert.equal(outputSchema?.type, 'object', name)
        assert.match(description, /untrusted/, name)
        assert.deepEqual(annotations, { readOnlyHint: true, openWorldHint: false }, name)
      }
      lists.push(tools)
      const { applications } = await agent.call('list_applications')
      assert.equal(applications[0].alias, 'shop')
      await assert.rejects(client.callTool({ name: 'delete_everything' }), { code: -32602 })
    }
    assert.deepEqual(lists[0], lists[1])
    assert.ok(JSON.stringify(lists[0]).length / 4 <= 8000, String(JSON.stringify(lists[0]).length / 4))
  })

  it('answers clients of the old line, which most agents carry', async () => {
    const client = new OldClient({ name: 'old', version: '1' })
    const requestInit = { headers: { 'X-Service-Token': server.token } }
    const transport = new OldTransport(new URL(`${server.url}/mcp`), { requestInit })
    await client.connect(transport)
    assert.equal(transport.sessionId, undefined)
    await client.listTools()
    const { structuredContent } = await client.callTool({ name: 'list_builds', arguments: { application: 'shop' } })
    assert.equal(Object(structuredContent).builds.length, 1)
    await client.close()
  })

  it('takes a token in either header, and none from a cookie', async () => {
    const send = (headers: Record<string, string>, token: string | null = null) =>
      server.call('POST', '/mcp', { token, json, headers: { ...both, ...headers } })
    const bearer = `Bearer ${server.token}`
    assert.equal((await send({ Authorization: bearer })).status, 200)
    assert.equal((await send({}, server.token)).status, 200)
    assert.equal((await send({ Authorization: bearer }, server.token)).status, 200)
    const ada = await join(server, { email: 'ada@example.com', role: 'admin' })
    const { cookie } = Object(ada)
    for (const answer of [
      await send({}),
      await send({ Authorization: 'Bearer fl_wrong' }),
      await send({ Authorization: `Basic ${server.token}` }),
      await send({ Authorization: bearer }, `${server.token}x`),
      await send({ Authorization: `Basic ${server.token}` }, server.token),
      await send(typeof cookie === 'string' ? { Cookie: cookie } : {}),
      await ada.call('POST', '/mcp', { json, headers: both }),
    ]) {
      assert.equal(answer.status, 401, answer.text)
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer realm="fairlead"')
      assert.equal(answer.json.httpStatus, 401)
    }
  })

  it('takes the token as Bearer at the API too', async () => {
    const read = (headers: Record<string, string>, token: string | null = null) =>
      server.call('GET', '/v1/applications', { token, headers })
    const bearer = `Bearer ${server.token}`
    assert.equal((await read({ Authorization: bearer })).status, 200)
    assert.equal((await read({ Authorization: bearer }, server.token)).status, 200)
    assert.equal((await read({ Authorization: `${bearer}x` })).status, 401)
    // The first answer is kept in memory for its token alone.
    assert.equal((await read({}, server.token)).status, 200)
    assert.equal((await read({ Authorization: `${bearer}x` }, server.token)).status, 401)
    assert.equal((await read({ Authorization: 'Bearer a.proxy.adds' }, server.token)).status, 200)
  })

  it('refuses pages of other origins, and other names of this machine', async () => {
    const send = (headers: Record<string, string>) => sendRaw(server, headers)
    assert.equal(await send({ Origin: `http://localhost:${new URL(server.url).port}` }), 200)
    assert.equal(await send({ Origin: 'https://evil.example' }), 403)
    assert.equal(await send({ Origin: 'null' }), 403)
    assert.equal(await send({ Host: 'evil.example' }), 403)
    assert.equal(await send({ Host: 'localhost.evil.example:80' }), 403)
    assert.equal(await send({ Host: '127.0.0.1:80' }), 200)
  })

  it('announces no OAuth, keeps no session and answers no other method', async () => {
    for (const path of ['oauth-protected-resource', 'oauth-protected-resource/mcp', 'oauth-authorization-server']) {
      const answer = await server.call('GET', `/.well-known/${path}`, { headers: { Accept: 'text/html' } })
      assert.equal(answer.status, 404)
      assert.equal(answer.json.httpStatus, 404)
    }
    for (const path of ['/mcp', '/mcp/write']) {
      for (const [method, accept] of [
        ['GET', 'text/event-stream'],
        ['GET', 'text/html'],
        ['DELETE', '*/*'],
        ['PUT', '*/*'],
      ] as const) {
        const answer = await server.call(method, path, { headers: { Accept: accept } })
        assert.equal(answer.status, 405, `${method} ${path} ${accept}`)
        assert.equal(answer.headers.get('allow'), 'POST')
      }
    }
    const answer = await server.call('POST', '/mcp', { json, headers: both })
    assert.equal(answer.headers.get('mcp-session-id'), null)
    assert.match(answer.headers.get('cache-control') ?? '', /^no-(store|cache)/)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(answer.headers.get('content-encoding'), null)
  })

  it('refuses broken requests of every kind, and never with 5xx', async () => {
    const call = (params: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const bodies: [string, number[]][] = [
      ['', [400]],
      ['{', [400]],
      ['null', [400]],
      ['"text"', [400]],
      ['[]', [400]],
      ['[[[[[[]]]]]]', [400]],
      ['{}', [400]],
      ['{"jsonrpc":"1.0","id":1,"method":"ping"}', [400]],
      [JSON.stringify({ ...json, method: 'nothing/such' }), [200, 404]],
      [JSON.stringify({ ...json, id: {} }), [400]],
      [call(undefined), [200]],
      [call({ name: 7 }), [200]],
      [call({ name: '__proto__', arguments: {} }), [200]],
      [call({ name: 'list_builds', arguments: 'text' }), [200]],
      [call({ name: 'list_builds', arguments: { application: ['shop'] } }), [200]],
      [call({ name: 'list_builds', arguments: { application: 'shop', limit: 1e9 } }), [200]],
      [call({ name: 'list_builds', arguments: { application: 'shop', cursor: '-1' } }), [200]],
      [call({ name: 'list_builds', arguments: { application: 'shop', query: 'a\u0000b' } }), [200]],
      [call({ name: 'list_builds', arguments: { application: 'shop', branch: '\ud800' } }), [200]],
      [call({ name: 'get_crash', arguments: { crashId: 9_007_199_254_740_991 } }), [200]],
      [call({ name: 'list_crashes', arguments: { application: 'shop', buildId: 9_007_199_254_740_991 } }), [200]],
      ['{"a":'.repeat(50_000), [400]],
    ]
    for (const [body, statuses] of bodies) {
      const headers = { ...both, 'Content-Type': 'application/json' }
      const answer = await server.call('POST', '/mcp', { headers, body })
      assert.ok(statuses.includes(answer.status), `${body.slice(0, 200)}: ${answer.status} ${answer.text}`)
      assert.doesNotMatch(answer.text, /\bat \/|node_modules|\.ts:|SELECT|select "/)
    }
    const large = await server.call('POST', '/mcp', { headers: both, json: { ...json, params: 'x'.repeat(2 ** 20) } })
    assert.equal(large.status, 413)
    assert.equal(large.json.httpStatus, 413)
    const form = { ...both, 'Content-Type': 'text/plain' }
    assert.equal((await server.call('POST', '/mcp', { headers: form, body: JSON.stringify(json) })).status, 415)
    const narrow = { 'Content-Type': 'application/json', Accept: 'application/json' }
    assert.equal((await server.call('POST', '/mcp', { headers: narrow, body: JSON.stringify(json) })).status, 406)
    const headers = { 'MCP-Protocol-Version': '1999-01-01' }
    assert.equal((await server.call('POST', '/mcp', { headers: { ...both, ...headers }, json })).status, 400)
  })

  it('counts calls for Prometheus, and the use of the token', async () => {
    const { json: viewer } = await server.call('POST', '/v1/apiTokens', { json: { name: 'agent', role: 'viewer' } })
    await using agent = await connectAgent(server, { token: viewer.token })
    await agent.call('list_applications')
    await agent.refuse('list_builds', { application: 'nothing' })
    const headers = { Authorization: `Bearer ${metricsToken}` }
    const { text } = await server.call('GET', '/metrics', { token: null, headers })
    assert.match(text, /fairlead_agent_calls_total\{tool="list_applications",outcome="ok"\} [1-9]/)
    assert.match(text, /fairlead_agent_calls_total\{tool="list_builds",outcome="refused"\} [1-9]/)
    assert.match(text, /fairlead_agent_call_duration_seconds_bucket/)
    assert.match(text, /fairlead_agent_answer_characters_sum/)
    const { json: tokens } = await server.call('GET', '/v1/apiTokens')
    const used = tokens.find(({ id }: { id: number }) => id === viewer.id)
    assert.notEqual(used.lastUsedDate, null)
    await server.call('DELETE', `/v1/apiTokens/${viewer.id}`)
    await assert.rejects(agent.call('list_applications'))
  })

  it('tells a token that makes too many calls at once to wait, as an error of the tool', async () => {
    await using agent = await connectAgent(server)
    const calls = Array.from({ length: 60 }, () => agent.client.callTool({ name: 'list_applications', arguments: {} }))
    const answers = await Promise.all(calls)
    const refused = answers.filter(({ isError }) => isError === true)
    for (const { content } of refused) assert.match(JSON.stringify(content), /rateLimited.*retryAfterSeconds/)
    assert.ok(answers.length - refused.length >= 8)
  })

  it('shows a token nothing of another workspace, word for word as if it did not exist', async () => {
    await using stranger = await connectAgent(server, { token: await createSecondWorkspace(server) })
    assert.deepEqual((await stranger.call('list_applications')).applications, [])
    const unknown = await stranger.refuse('get_test_run', { buildId: 999_999 })
    assert.deepEqual(await stranger.refuse('get_test_run', { buildId: 1 }), unknown)
    assert.equal(unknown.code, 'buildNotFound')
    assert.equal((await stranger.refuse('list_builds', { application: 'shop' })).code, 'aliasNotFound')
    assert.equal((await stranger.refuse('read_text', { ref: 'build.1.shortVersion' })).code, 'textNotFound')
  })
})

/** Sends headers that `fetch` would not. */
function sendRaw({ url, token }: TestServer, headers: Record<string, string>): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const own = { ...both, 'Content-Type': 'application/json', 'X-Service-Token': token, ...headers }
  const sent = request(`${url}/mcp`, { method: 'POST', headers: own }, (response) => {
    response.resume()
    resolve(response.statusCode)
  })
  sent.on('error', reject)
  sent.end(JSON.stringify(json))
  return promise
}
