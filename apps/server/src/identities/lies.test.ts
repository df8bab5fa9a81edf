import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { keepCookies } from '../testing/identity-provider.ts'
import { type Lie, type LyingProvider, startLyingProvider } from '../testing/lying-provider.ts'
import { readReason } from '../testing/provider-browser.ts'
import { type Answer, startServer, type TestServer } from '../testing/start-server.ts'

const event = 'http://schemas.openid.net/event/backchannel-logout'

describe('A provider that lies', () => {
  let provider: LyingProvider
  let server: TestServer

  before(async () => {
    provider = await startLyingProvider()
    server = await startServer({
      FAIRLEAD_OIDC_PROVIDERS: JSON.stringify([
        provider.entry(),
        provider.entry({ key: 'mixed', name: 'Mixed', issuer: `${provider.issuer}/other` }),
      ]),
    })
    const json = [{ provider: 'liar', group: 'mobile', role: 'viewer' }]
    assert.equal((await server.call('PUT', '/v1/groupRoles', { json })).status, 200)
  })
  after(async () => {
    await server[Symbol.asyncDispose]()
    await provider[Symbol.asyncDispose]()
  })

  async function signIn(lie: Lie = {}): Promise<{ answer: Answer; cookie: string }> {
    provider.lie = lie
    const cookies = new Map<string, string>()
    const toCookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const begun = await server.call('GET', '/sign-in/oidc/liar', { token: null })
    keepCookies(begun.headers, cookies)
    const path = provider.answer(begun.headers.get('location') ?? '')
    const answer = await server.call('GET', path, { token: null, headers: { cookie: toCookie() } })
    keepCookies(answer.headers, cookies)
    provider.lie = {}
    return { answer, cookie: toCookie() }
  }

  const now = () => Math.floor(Date.now() / 1000)

  it('signs nobody in', async () => {
    const lies: [string, Lie][] = [
      ['a signature by another key', { signature: 'otherKey' }],
      ['a signature by the shared secret', { signature: 'secret' }],
      ['no signature', { signature: 'none' }],
      ['another issuer', { claims: { iss: 'https://evil.example' } }],
      ['another audience', { claims: { aud: 'somebody-else' } }],
      ['two audiences without an authorized party', { claims: { aud: ['fairlead', 'somebody-else'] } }],
      ['another nonce', { claims: { nonce: 'planted' } }],
      ['no nonce', { claims: { nonce: undefined } }],
      ['an expired token', { claims: { iat: now() - 1000, exp: now() - 100 } }],
      ['no expiry', { claims: { exp: undefined } }],
      ['no subject', { claims: { sub: undefined } }],
      ['a subject that is too long', { claims: { sub: 'x'.repeat(256) }, userinfo: { sub: 'x'.repeat(256) } }],
      ['a subject with a line break', { claims: { sub: 'a\nb' }, userinfo: { sub: 'a\nb' } }],
      ['userinfo of another subject', { userinfo: { sub: 'eve' } }],
      ['an error', { tokens: { status: 400, body: '{"error":"invalid_grant"}' } }],
      ['no JSON', { tokens: { status: 200, body: '<html>' } }],
      ['an endless answer', { tokens: { status: 200, body: `{"x":"${'y'.repeat(2 ** 20)}"}` } }],
    ]
    for (const [name, lie] of lies) {
      const { answer } = await signIn(lie)
      assert.equal(answer.status, 400, `${name}: ${answer.status} ${answer.text}`)
      assert.equal(readReason(answer), 'provider', name)
      assert.ok(!answer.headers.getSetCookie().some((line) => line.includes('session')), name)
    }
    const { answer } = await signIn({ tokens: { status: 500, body: '{}' } })
    assert.equal(readReason(answer), 'unavailable')
    const { json: members } = await server.call('GET', '/v1/members')
    assert.deepEqual(members, [])
  })

  it('is believed when it tells the truth, within a minute of clock', async () => {
    assert.equal((await signIn()).answer.status, 303)
    assert.equal((await signIn({ claims: { iat: now() - 600, exp: now() - 40 } })).answer.status, 303)
    const [member] = (await server.call('GET', '/v1/members')).json
    assert.equal(member.name, 'Ada', 'from userinfo')
  })

  it('cannot name another issuer than the settings', async () => {
    const answer = await server.call('GET', '/sign-in/oidc/mixed', { token: null })
    assert.equal(readReason(answer), 'provider')
  })

  it('cannot end sessions by a token that is not a logout token for this server', async () => {
    const { cookie } = await signIn({ claims: { sid: 'session-1' } })
    const isSignedIn = async () =>
      (await server.call('GET', '/v1/session', { token: null, headers: { cookie } })).status === 200
    const claims = () => ({
      iss: provider.issuer,
      aud: 'fairlead',
      iat: now(),
      exp: now() + 120,
      jti: randomUUID(),
      sub: 'ada',
      events: { [event]: {} },
    })
    const send = async (changes: Record<string, unknown>, signature?: 'otherKey' | 'secret' | 'none') => {
      provider.lie = signature ? { signature } : {}
      const token = await provider.signLogout({ ...claims(), ...changes })
      provider.lie = {}
      return post(new URLSearchParams({ logout_token: token }))
    }
    const post = (body: URLSearchParams, key = 'liar') =>
      server.call('POST', `/sign-in/oidc/${key}/backChannelLogout`, { token: null, body })
    for (const [name, answer] of [
      ['signature', await send({}, 'otherKey')],
      ['secret', await send({}, 'secret')],
      ['none', await send({}, 'none')],
      ['issuer', await send({ iss: 'https://evil.example' })],
      ['audience', await send({ aud: 'somebody-else' })],
      ['expired', await send({ iat: now() - 500, exp: now() - 100 })],
      ['no expiry', await send({ exp: undefined })],
      ['no id', await send({ jti: undefined })],
      ['no event', await send({ events: {} })],
      ['an ID token', await send({ nonce: 'x' })],
      ['nobody', await send({ sub: undefined })],
      ['no token', await post(new URLSearchParams())],
      ['no JWT', await post(new URLSearchParams({ logout_token: 'x.y.z' }))],
    ] as const) {
      assert.equal(answer.status, 400, name)
      assert.equal(answer.headers.get('cache-control'), 'no-store')
    }
    assert.equal((await post(new URLSearchParams(), 'unknown')).status, 404)
    assert.equal((await send({ sub: 'eve' })).status, 200)
    assert.equal((await send({ sub: undefined, sid: 'session-2' })).status, 200)
    assert.ok(await isSignedIn())
    const jti = randomUUID()
    assert.equal((await send({ sub: undefined, sid: 'session-1', jti })).status, 200)
    assert.ok(!(await isSignedIn()))
    assert.equal((await send({ jti })).status, 400, 'a token works once')
    const again = await signIn()
    assert.equal((await send({})).status, 200)
    const headers = { cookie: again.cookie }
    assert.equal((await server.call('GET', '/v1/session', { token: null, headers })).status, 401)
  })
})
