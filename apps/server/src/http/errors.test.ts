import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, describe, it } from 'node:test'
import { ErrorObject } from '@fairlead/contract'
import { requireAt } from '@fairlead/invariant'
import { startServer } from '../testing/start-server.ts'
import { toLoggedPath } from './errors.ts'
import { createApplication } from '../testing/upload.ts'

describe('every error', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  it("is the contract's error object with exactly its fields and a new id", async () => {
    const ids = new Set<string>()
    const attempts = [
      { path: '/nowhere', status: 404 },
      { path: '/v1/applications/1/', status: 404 },
      { path: '/v1/builds/%zz', status: 404 },
      { method: 'PUT', path: '/v1/builds/1', status: 405 },
      { method: 'POST', path: '/healthz', status: 405 },
      { path: '/v1/applications', token: null, status: 401 },
      { path: '/v1/applications/77', status: 404 },
    ]
    for (const { method = 'GET', path, status, ...options } of attempts) {
      const answer = await server.call(method, path, options)
      assert.equal(answer.status, status, path)
      assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
      assert.deepEqual(Object.keys(answer.json), ['id', 'httpStatus', 'title', 'detail'])
      assert.equal(ErrorObject.parse(answer.json).httpStatus, status)
      ids.add(answer.json.id)
    }
    assert.equal(ids.size, attempts.length)
  })

  it('lists the allowed methods for a wrong method', async () => {
    const answer = await server.call('PUT', '/v1/applications/1')
    assert.equal(answer.headers.get('allow'), 'DELETE, GET, HEAD, PATCH')
  })

  it('is also sent in answer to invalid HTTP', async () => {
    for (const [text, status] of [
      ['nonsense\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
    ] as const) {
      assert.equal(ErrorObject.parse(await send(text)).httpStatus, status)
    }
  })

  it('is 404 for paths that cannot name a file', async () => {
    for (const path of ['/assets/.', '/assets//', '/assets/..', '/docs/../x', '/docs/.', '/docs/%00']) {
      assert.equal(ErrorObject.parse(await send(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)).httpStatus, 404, path)
    }
  })

  it('reports an unknown path before any fault of the body', async () => {
    const answer = await server.call('POST', '/v1/nowhere', {
      headers: { 'Content-Type': 'application/json' },
      body: '{"broken',
    })
    assert.equal(answer.status, 404)
    assert.equal(answer.json.detail, 'Nothing is at this address')
  })

  it("is the resource's 404 for a malformed id, even for one with invalid percent-encoding", async () => {
    for (const id of ['%ff', '%zz', '%', '1'.repeat(5000)]) {
      const { title, detail } = (await server.call('GET', `/v1/builds/${id}`)).json
      assert.deepEqual([title, detail], ['Not found', 'Build with the given ID does not exist'], id)
      assert.equal((await server.call('GET', `/v1/builds/${id}`, { token: null })).status, 401)
    }
  })

  it('is not caused by unusual but valid HTTP: an absolute URL, no Host header, an unknown expectation', async () => {
    await createApplication(server, 'one')
    await createApplication(server, 'two')
    const token = `X-Service-Token: ${server.token}`
    for (const head of [
      `GET ${server.url}/v1/applications?limit=1 HTTP/1.1\r\nHost: x`,
      'GET /v1/applications?limit=1 HTTP/1.1',
      'GET /v1/applications?limit=1 HTTP/1.1\r\nHost: x\r\nExpect: the-unexpected',
    ]) {
      const applications = await send(`${head}\r\n${token}\r\n\r\n`)
      assert.ok(Array.isArray(applications))
      assert.equal(applications.length, 1, head)
    }
  })

  /** Writes raw text that no HTTP client would send, and reads the answer's JSON. */
  async function send(text: string): Promise<unknown> {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.write(text)
    const bytes = requireAt<Buffer>(await once(socket, 'data'), 0)
    socket.destroy()
    const [, body = ''] = bytes.toString().split('\r\n\r\n')
    return JSON.parse(body) as unknown
  }
})

describe('The path in the log', () => {
  it('never contains the secret of a link, however the address is spelled', () => {
    const secret = 'abcdefghijklmnopqrstuv'
    for (const url of [
      `/install/${secret}`,
      `//install/${secret}`,
      `///install//${secret}/icon`,
      `/%69nstall/${secret}`,
      `/INSTALL/${secret}?a=1`,
      `/x/${secret}`,
      `/%zz/${secret}`,
    ]) {
      assert.ok(!toLoggedPath(url).includes(secret), `${url} is logged as ${toLoggedPath(url)}`)
    }
    assert.equal(toLoggedPath('/v1/applications/1/builds?q=x'), '/v1/applications/1/builds')
  })
})
