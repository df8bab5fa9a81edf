import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Writable } from 'node:stream'
import fastify from 'fastify'
import { pino } from 'pino'
import { startServer } from '../testing/start-server.ts'
import { warnOfForwardedHeaders } from './forwarded-header.ts'

describe('X-Forwarded-For', () => {
  const signInFrom = (server: Awaited<ReturnType<typeof startServer>>, forwarded: string) =>
    server.call('POST', '/v1/session', {
      token: null,
      headers: { 'X-Forwarded-For': forwarded },
      json: { email: 'nobody@example.com', password: 'guess' },
    })

  it('cannot be forged past one proxy when FAIRLEAD_TRUST_PROXY is true', async () => {
    await using server = await startServer({ FAIRLEAD_TRUST_PROXY: 'true' })
    const statuses: number[] = []
    for (let count = 0; count < 12; count++) {
      // The proxy appends the address it sees to whatever the client wrote.
      statuses.push((await signInFrom(server, `198.51.100.${count}, 203.0.113.7`)).status)
    }
    assert.equal(statuses.filter((status) => status === 429).length, 2)
  })

  it('is warned of once when it comes from somebody who is not trusted', async () => {
    for (const [trustProxy, expected] of [
      [false, 1],
      ['10.0.0.0/8', 1],
      ['127.0.0.1', 0],
    ] as const) {
      let lines = 0
      const log = pino(
        new Writable({
          write(_line, _encoding, done) {
            lines++
            done()
          },
        }),
      )
      const app = fastify({ trustProxy })
      warnOfForwardedHeaders(app, log)
      app.get('/', async () => 'ok')
      await app.inject({ url: '/' })
      for (let count = 0; count < 3; count++) {
        await app.inject({ url: '/', headers: { 'x-forwarded-for': '198.51.100.1' } })
      }
      assert.equal(lines, expected, String(trustProxy))
      await app.close()
    }
  })
})
