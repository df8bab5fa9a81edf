import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, describe, it } from 'node:test'
import { ErrorObject } from '@fairlead/contract'
import { startServer } from '../testing/start-server.ts'

describe('every error', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  it('is the error object of the contract, with exactly its fields and a fresh id', async () => {
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
      assert.deepEqual(Object.keys(answer.json as object), ['id', 'httpStatus', 'title', 'detail'])
      assert.equal(ErrorObject.parse(answer.json).httpStatus, status)
      ids.add(answer.json.id)
    }
    assert.equal(ids.size, attempts.length)
  })

  it('for a wrong method says which are right', async () => {
    const answer = await server.call('PUT', '/v1/applications/1')
    assert.equal(answer.headers.get('allow'), 'DELETE, GET, HEAD, PATCH')
  })

  it('is told as such also to what is no HTTP', async () => {
    for (const [text, status] of [
      ['nonsense\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
    ] as const) {
      const { hostname, port } = new URL(server.url)
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      socket.write(text)
      const [bytes] = (await once(socket, 'data')) as [Buffer]
      const [head = '', body = ''] = bytes.toString().split('\r\n\r\n')
      assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `))
      assert.equal(ErrorObject.parse(JSON.parse(body)).httpStatus, status)
      socket.destroy()
    }
  })
})
