import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
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

  it('is refused while another process listens on it', async () => {
    const first = fastify()
    const listener = await listenOnSharedPort(first, address)
    const { port } = requireAddress(first.server)
    await assert.rejects(listenOnSharedPort(fastify(), { ...address, port }), { code: 'EADDRINUSE' })
    await listener.close()
    await first.close()
  })
})
