import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { requireAt } from '@fairlead/invariant'
import { startServer, type TestServer } from '../testing/start-server.ts'

async function open(server: TestServer): Promise<Socket> {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

async function readAnswer(socket: Socket): Promise<string> {
  const bytes = requireAt<Buffer>(await once(socket, 'data'), 0)
  return bytes.toString()
}

describe('limits of requests', () => {
  it('refuse a body over 16 KiB on routes that anybody may call', async () => {
    await using server = await startServer()
    const json = { email: 'ada@example.com', password: 'x'.repeat(20_000) }
    for (const path of ['/v1/session', '/v1/passwordResets', '/v1/setup']) {
      assert.equal((await server.call('POST', path, { token: null, json })).status, 413, path)
    }
  })

  it('answer 408 to a body that arrives too slowly, with and without an account', async () => {
    await using server = await startServer({ FAIRLEAD_BODY_TIMEOUT_SECONDS: '1' })
    for (const head of [
      'POST /v1/session HTTP/1.1',
      `PATCH /v1/workspace HTTP/1.1\r\nX-Service-Token: ${server.token}`,
    ]) {
      const socket = await open(server)
      socket.write(`${head}\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`)
      const answer = await readAnswer(socket)
      assert.match(answer, /^HTTP\/1\.1 408 /, head)
      assert.match(answer, /took too long to arrive/)
      socket.destroy()
    }
    assert.equal((await server.call('GET', '/v1/workspace')).status, 200)
  })

  it('answer a few connections of an address beyond its limit, close more, and accept new ones later', async () => {
    await using server = await startServer({ FAIRLEAD_MAX_CONNECTIONS_PER_ADDRESS: '5' })
    const held: Socket[] = []
    for (let index = 0; index < 5; index++) held.push(await open(server))
    for (let index = 0; index < 2; index++) {
      const beyond = await open(server)
      beyond.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
      assert.match(
        await readAnswer(beyond),
        /^HTTP\/1\.1 429 .*retry-after: \d.*connection: close.*Too many connections/is,
      )
      await once(beyond, 'close')
    }
    for (let index = 0; index < 5; index++) held.push(await open(server))
    const one = await open(server)
    await once(one, 'close')
    const ends = held.map((socket) => once(socket, 'close'))
    for (const socket of held) socket.destroy()
    await Promise.all(ends)
    for (;;) {
      const answer = await server.call('GET', '/healthz').catch(() => undefined)
      if (answer?.status === 200) break
    }
  })

  it('answer 503 to connections beyond those of all addresses', async () => {
    await using server = await startServer({ FAIRLEAD_MAX_CONNECTIONS: '3' })
    const held: Socket[] = []
    for (let index = 0; index < 4; index++) held.push(await open(server))
    const [, , , beyond] = held
    assert.ok(beyond)
    beyond.write(`GET /v1/workspace HTTP/1.1\r\nHost: x\r\nX-Service-Token: ${server.token}\r\n\r\n`)
    const answer = await readAnswer(beyond)
    assert.match(answer, /^HTTP\/1\.1 503 .*retry-after: \d.*The server is busy/is)
    await once(beyond, 'close')
    for (const socket of held) socket.destroy()
  })

  it('count the clients of a trusted proxy by the address that it forwards', async () => {
    await using server = await startServer({
      FAIRLEAD_MAX_CONNECTIONS_PER_ADDRESS: '5',
      FAIRLEAD_TRUST_PROXY: 'loopback',
    })
    const held: Socket[] = []
    for (let index = 0; index < 8; index++) {
      const socket = await open(server)
      held.push(socket)
      const head = ['POST /v1/session HTTP/1.1', 'Host: x', 'X-Forwarded-For: 192.0.2.1', 'Content-Length: 100']
      socket.write(`${head.join('\r\n')}\r\nContent-Type: application/json\r\n\r\n{`)
    }
    const answers = await Promise.all(held.slice(5).map(readAnswer))
    for (const answer of answers) assert.match(answer, /^HTTP\/1\.1 429 .*retry-after: \d/is)
    const headers = { 'X-Forwarded-For': '192.0.2.2' }
    assert.equal((await server.call('GET', '/v1/workspace', { headers })).status, 200)
    for (const socket of held) socket.destroy()
  })
})
