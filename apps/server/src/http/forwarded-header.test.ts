import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Writable } from 'node:stream'
import fastify from 'fastify'
import { pino } from 'pino'
import { password } from '../testing/browser.ts'
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

  /** Headers of a client that forges its address, the host and the protocol. */
  const forged = {
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Host': 'evil.example.net',
    'X-Forwarded-Port': '444',
    Forwarded: 'for=198.51.100.9;host=evil.example.net;proto=https',
    Host: 'evil.example.net',
  }
  const cases: Record<string, [forwarded: string, address: string][]> = {
    false: [['198.51.100.9', '127.0.0.1']],
    true: [
      ['198.51.100.9, 203.0.113.7', '203.0.113.7'],
      ['198.51.100.9, 203.0.113.7:4711', '203.0.113.7'],
      ['198.51.100.9, [2001:db8::7]:443', '2001:db8::7'],
      [`198.51.100.9, <script>${'x'.repeat(4000)}`, '127.0.0.1'],
      ['203.0.113.7, unknown', '127.0.0.1'],
    ],
    loopback: [['rubbish, 203.0.113.7, 127.0.0.1', '203.0.113.7']],
  }
  for (const [trusted, forgeries] of Object.entries(cases)) {
    it(`changes no link and no cookie, only addresses in the audit log, when ${trusted} is trusted`, async () => {
      await using server = await startServer({ FAIRLEAD_TRUST_PROXY: trusted })
      for (const [index, [forwarded, address]] of forgeries.entries()) {
        const headers = { ...forged, 'X-Forwarded-For': forwarded }
        const json = { email: `ada${index}@example.com`, role: 'admin' }
        const invited = await server.call('POST', '/v1/invitations', { headers, json })
        assert.equal(invited.status, 201, invited.text)
        const { inviteUrl } = invited.json
        assert.ok(inviteUrl.startsWith('http://localhost:'), inviteUrl)
        const token = new URL(inviteUrl).searchParams.get('token')
        const accepted = await server.call('POST', '/v1/invitations/accept', {
          token: null,
          headers,
          json: { token, name: 'Ada', password },
        })
        assert.doesNotMatch(accepted.headers.get('set-cookie') ?? '', /Secure|evil/i, 'the base URL is plain HTTP')
        const Cookie = accepted.headers.getSetCookie()[0]?.split(';')[0] ?? ''
        const sessions = await server.call('GET', '/v1/sessions', { token: null, headers: { ...headers, Cookie } })
        assert.equal(sessions.json[0].address, address)
        const events = await server.call('GET', '/v1/auditEvents?limit=1', { headers })
        assert.equal(events.json[0].address, address)
        assert.doesNotMatch(events.headers.get('link') ?? '', /evil/)
      }
    })
  }

  it('cannot be used to escape the rate limit of sign-ins when no proxy is trusted', async () => {
    await using server = await startServer()
    const statuses: number[] = []
    for (let count = 0; count < 12; count++) statuses.push((await signInFrom(server, `198.51.100.${count}`)).status)
    assert.equal(statuses.filter((status) => status === 429).length, 2)
  })

  it('causes one warning when it comes from an address that is not trusted', async () => {
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
