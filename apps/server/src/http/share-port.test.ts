import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, it, mock } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fastify } from 'fastify'
import { listenOnSharedPort } from './share-port.ts'
import { requireAddress } from './listening-address.ts'

const address = { host: '127.0.0.1', port: 0, backlog: 4096 }

describe('a port that several sockets share', () => {
  it('answers the clients that wait to be accepted when the server closes', async () => {
    const app = fastify({ forceCloseConnections: 'idle' })
    app.get('/', () => 'here')
    const listener = await listenOnSharedPort(app, address)
    const { port } = requireAddress(app.server)
    const clients = Array.from({ length: 500 }, () => {
      const client = connect(port)
      client.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      return text(client)
    })
    await once(app.server, 'connection')
    await listener.close()
    const answers = await Promise.all(clients)
    assert.ok(answers.every((answer) => answer.startsWith('HTTP/1.1 200') && answer.endsWith('here')))
    await app.close()
  })

  it('answers clients whose first request comes after it began to close', async () => {
    const app = fastify({ forceCloseConnections: 'idle' })
    app.addHook('onRequest', async (_request, reply) => void reply.header('connection', 'close'))
    app.get('/', () => 'here')
    const listener = await listenOnSharedPort(app, address)
    const client = connect(requireAddress(app.server).port)
    await once(app.server, 'connection')
    const closed = listener.close()
    const looks = mock.method(app.server, 'closeIdleConnections')
    while (looks.mock.callCount() < 2) await setTimeout(10)
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    assert.match(await text(client), /^HTTP\/1\.1 200[^]*here$/)
    await closed
    await app.close()
  })

  it('sends the whole of an answer that ended before it began to close', async () => {
    const app = fastify({ forceCloseConnections: 'idle' })
    const whole = Buffer.alloc(32 * 2 ** 20, 'x')
    app.get('/', () => whole)
    const listener = await listenOnSharedPort(app, address)
    const client = connect(requireAddress(app.server).port)
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(client, 'readable')
    const closed = listener.close()
    const looks = mock.method(app.server, 'closeIdleConnections')
    while (looks.mock.callCount() < 2) await setTimeout(10)
    const answer = await text(client)
    assert.equal(answer.length - answer.indexOf('\r\n\r\n') - 4, whole.length)
    await closed
    await app.close()
  })

  it('closes connections on which nothing comes', async () => {
    const app = fastify({ forceCloseConnections: 'idle' })
    app.get('/', () => 'here')
    const listener = await listenOnSharedPort(app, address)
    const { port } = requireAddress(app.server)
    const [silent, answered] = [connect(port), connect(port)]
    answered.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(answered, 'data')
    const ended = [silent, answered].map((client) => once(client.resume(), 'end'))
    await listener.close()
    await Promise.all(ended)
    await app.close()
  })

  it('is refused while another process listens on it', async () => {
    const first = fastify()
    const listener = await listenOnSharedPort(first, address)
    const { port } = requireAddress(first.server)
    await assert.rejects(listenOnSharedPort(fastify(), { ...address, port }), { code: 'EADDRINUSE' })
    await listener.close()
    await first.close()
  })
})
