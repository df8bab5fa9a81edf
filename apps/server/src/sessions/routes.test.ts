import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { OpenSession } from '@fairlead/contract'
import { openDatabase } from '../db/open.ts'
import { Browser, join, password, signIn } from '../testing/browser.ts'
import { createSecondWorkspace } from '../testing/second-workspace.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'

describe('Sessions', () => {
  let server: TestServer
  let ada: Browser

  before(async () => {
    server = await startServer()
    ada = await join(server, { email: 'ada@example.com', role: 'admin' })
    await join(server, { email: 'vera@example.com', role: 'viewer' })
  })
  after(() => server[Symbol.asyncDispose]())

  it('use a cookie that scripts cannot read and other sites cannot send', async () => {
    const json = { email: ' ADA@example.com ', password }
    const answer = await server.call('POST', '/v1/session', { token: null, json })
    assert.equal(answer.status, 201, answer.text)
    assert.match(
      answer.headers.getSetCookie()[0] ?? '',
      /^fairlead_session=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.deepEqual(Object.keys(answer.json).sort(), [
      'account',
      'csrfToken',
      'hasTwoFactor',
      'isServerAdmin',
      'logoutUrl',
      'signedInBy',
      'workspaces',
    ])
  })

  it('are refused with the same answer for an unknown address and a wrong password', async () => {
    const attempt = (email: string, secret: string) =>
      server.call('POST', '/v1/session', { token: null, json: { email, password: secret } })
    const [wrongPassword, wrongEmail] = await Promise.all([
      attempt('ada@example.com', 'wrong'),
      attempt('nobody@example.com', password),
    ])
    assert.equal(wrongPassword.status, 401)
    assert.deepEqual({ ...wrongPassword.json, id: '' }, { ...wrongEmail.json, id: '' })
  })

  it('are new at every sign-in, which prevents session fixation', async () => {
    const browser = new Browser(server)
    browser.cookie = 'fairlead_session=planted-by-somebody-else'
    await browser.start('/v1/session', { email: 'ada@example.com', password })
    const first = browser.cookie
    assert.notEqual(first, 'fairlead_session=planted-by-somebody-else')
    await browser.start('/v1/session', { email: 'ada@example.com', password })
    assert.notEqual(browser.cookie, first)
    const old = new Browser(server)
    old.cookie = first
    assert.equal((await old.call('GET', '/v1/session')).status, 401)
  })

  it('can write only with their CSRF token', async () => {
    const json = { name: 'Robots' }
    for (const token of [undefined, '', 'nonsense', (await signIn(server, 'ada@example.com')).session?.csrfToken]) {
      const headers: Record<string, string> = { Cookie: ada.cookie ?? '' }
      if (token !== undefined) headers['X-CSRF-Token'] = token
      const answer = await server.call('POST', '/v1/distributionGroups', { token: null, headers, json })
      assert.equal(answer.status, 403, String(token))
      assert.match(answer.json.detail, /X-CSRF-Token/)
    }
    assert.equal((await ada.call('POST', '/v1/distributionGroups', { json })).status, 201)
    const headers = { Cookie: ada.cookie ?? '' }
    assert.equal((await server.call('DELETE', '/v1/sessions', { token: null, headers })).status, 403)
    assert.equal((await server.call('PATCH', '/v1/account', { token: null, headers, json: {} })).status, 403)
  })

  it('are ignored when the request has a token', async () => {
    const wrong = await ada.call('GET', '/v1/applications', { token: 'fl_wrong' })
    assert.equal(wrong.status, 401)
    const viewer = await server.call('POST', '/v1/apiTokens', { json: { name: 'v', role: 'viewer' } })
    const answer = await ada.call('POST', '/v1/distributionGroups', {
      token: viewer.json.token,
      json: { name: 'More robots' },
    })
    assert.equal(answer.status, 403)
    assert.equal((await ada.call('GET', '/v1/session', { token: server.token })).status, 401)
  })

  it('have the role of the member', async () => {
    const vera = await signIn(server, 'vera@example.com')
    assert.equal((await vera.call('GET', '/v1/applications')).status, 200)
    for (const [method, path] of [
      ['POST', '/v1/applications'],
      ['POST', '/v1/invitations'],
      ['GET', '/v1/mails'],
      ['GET', '/v1/apiTokens'],
      ['PATCH', '/v1/workspace'],
      ['DELETE', '/v1/members/1'],
      ['POST', '/v2/builds'],
    ] as const) {
      assert.equal((await vera.call(method, path, method === 'GET' ? {} : { json: {} })).status, 403, path)
    }
  })

  it('work in the workspace that the request names and in no other', async () => {
    const token = await createSecondWorkspace(server)
    const second: number = (await server.call('GET', '/v1/workspace', { token })).json.id
    ada.workspaceId = second
    assert.equal((await ada.call('GET', '/v1/workspace')).status, 403)
    const invited = await server.call('POST', '/v1/invitations', {
      token,
      json: { email: 'ada@example.com', role: 'viewer' },
    })
    const link = new URL(invited.json.inviteUrl).searchParams.get('token')
    await ada.start('/v1/invitations/accept', { token: link, password })
    assert.equal((await ada.call('GET', '/v1/workspace')).json.name, 'second')
    assert.equal((await ada.call('POST', '/v1/distributionGroups', { json: { name: 'x' } })).status, 403)
    ada.workspaceId = undefined
    assert.equal((await ada.call('GET', '/v1/workspace')).json.name, 'default')
    for (const name of ['0', '-1', '99999', 'second', '1,2']) {
      const answer = await ada.call('GET', '/v1/workspace', { headers: { 'X-Fairlead-Workspace': name } })
      assert.equal(answer.status, 403, name)
    }
  })

  it('are stored only as digests, as are passwords', async () => {
    const { db } = await openDatabase({ databaseUrl: server.databaseUrl, dataDir: server.dataDir })
    const sessions = await db.selectFrom('sessions').selectAll().execute()
    const accounts = await db.selectFrom('accounts').selectAll().execute()
    await db.destroy()
    const text = JSON.stringify({ sessions, accounts })
    for (const secret of [ada.cookie?.split('=')[1], ada.session?.csrfToken, password]) {
      assert.ok(secret !== undefined && !text.includes(secret))
    }
    assert.match(text, /"\$argon2id\$v=19\$m=47104,t=1,p=1\$/)
  })

  it('end by signing out, on one browser or everywhere', async () => {
    const [here, there] = [await signIn(server, 'vera@example.com'), await signIn(server, 'vera@example.com')]
    const copy = new Browser(server)
    copy.cookie = here.cookie
    const answer = await here.call('DELETE', '/v1/session')
    assert.equal(answer.status, 204)
    assert.match(answer.headers.getSetCookie()[0] ?? '', /^fairlead_session=; /)
    assert.equal((await copy.call('GET', '/v1/session')).status, 401)
    assert.equal((await there.call('GET', '/v1/session')).json.account.email, 'vera@example.com')
    assert.equal((await there.call('DELETE', '/v1/sessions')).status, 204)
    assert.equal((await there.call('GET', '/v1/session')).status, 401)
  })

  it('can be listed and ended one by one', async () => {
    const agent = { 'User-Agent': 'Firefox on a phone' }
    const here = await signIn(server, 'vera@example.com')
    const there = new Browser(server)
    const answer = await there.call('POST', '/v1/session', {
      json: { email: 'vera@example.com', password },
      headers: agent,
    })
    there.session = answer.json
    const list: OpenSession[] = (await here.call('GET', '/v1/sessions')).json
    const current = list.find(({ isCurrent }) => isCurrent)
    const other = list.find(({ userAgent }) => userAgent?.startsWith('Firefox') === true)
    assert.ok(current && other && current.id !== other.id)
    assert.match(other.address ?? '', /127\.0\.0\.1$/)
    assert.equal((await ada.call('DELETE', `/v1/sessions/${other.id}`)).status, 404, 'not those of others')
    assert.equal((await here.call('DELETE', `/v1/sessions/${other.id}`)).status, 204)
    assert.equal((await here.call('DELETE', `/v1/sessions/${other.id}`)).status, 404)
    assert.equal((await there.call('GET', '/v1/session')).status, 401)
    assert.equal((await here.call('GET', '/v1/session')).status, 200)
  })

  it('cannot be obtained by guessing passwords', async () => {
    const attempt = (secret: string) =>
      server.call('POST', '/v1/session', { token: null, json: { email: 'trudy@example.com', password: secret } })
    const answers = await Promise.all(Array.from({ length: 14 }, (_, index) => attempt(`guess ${index}`)))
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
    assert.deepEqual([count(401), count(429)], [10, 4])
    const refused = answers.find(({ status }) => status === 429)
    const seconds = Number(refused?.headers.get('retry-after'))
    assert.ok(seconds > 0 && seconds <= 900, String(seconds))
    assert.equal((await signIn(server, 'vera@example.com')).session?.account.email, 'vera@example.com')
  })
})

describe('A session over HTTPS', () => {
  it('has a cookie that is never sent over plain HTTP', async () => {
    await using server = await startServer({ FAIRLEAD_BASE_URL: 'https://builds.example.com' })
    await join(server, { email: 'ada@example.com', role: 'admin' })
    const json = { email: 'ada@example.com', password }
    const answer = await server.call('POST', '/v1/session', { token: null, json })
    assert.match(answer.headers.getSetCookie()[0] ?? '', /^__Host-fairlead_session=[\w-]{43};.*; Path=\/;.*; Secure/)
  })
})
