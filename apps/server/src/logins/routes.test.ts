import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openDatabase } from '../db/open.ts'
import { type Browser, join } from '../testing/browser.ts'
import { createSecondWorkspace } from '../testing/second-workspace.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'

describe('Logins of the command line', () => {
  let server: TestServer
  let ada: Browser
  let dev: Browser
  let workspaceId: number

  before(async () => {
    server = await startServer()
    ada = await join(server, { email: 'ada@example.com', role: 'admin' })
    dev = await join(server, { email: 'dev@example.com', role: 'developer' })
    workspaceId = ada.session?.workspaces[0]?.id ?? 0
  })
  after(() => server[Symbol.asyncDispose]())

  const start = async (headers: Record<string, string> = {}) => {
    const answer = await server.call('POST', '/v1/loginRequests', { token: null, json: { name: 'laptop' }, headers })
    assert.equal(answer.status, 201, answer.text)
    return answer.json
  }
  const poll = (deviceCode: string) =>
    server.call('POST', '/v1/loginRequests/poll', { token: null, json: { deviceCode } })
  const approve = (person: Browser, json: Record<string, unknown>) =>
    person.call('POST', '/v1/loginRequests/approve', { json: { workspaceId, ...json } })

  /** Logs in as a person, and returns the token. */
  async function logIn(person: Browser, role: string): Promise<{ id: number; token: string }> {
    const { deviceCode, userCode } = await start()
    const approved = await approve(person, { userCode, role })
    assert.equal(approved.status, 200, approved.text)
    const { json } = await poll(deviceCode)
    assert.equal(json.state, 'approved')
    return json.apiToken
  }
  const isValid = async (token: string) => (await server.call('GET', '/v1/caller', { token })).status === 200

  /** Runs a change of the database, as time that passes would make it. */
  async function change(values: { next_poll_at?: number; expires_at?: number }): Promise<void> {
    const { db } = await openDatabase(server)
    await db.updateTable('login_requests').set(values).execute()
    await db.destroy()
  }

  it('begin without a token, are approved by a person, and give one token once', async () => {
    const started = await start({ 'User-Agent': 'fairlead/1 node/26' })
    assert.match(started.userCode, /^[B-Z]{4}-[B-Z]{4}$/)
    assert.match(started.deviceCode, /^[\w-]{43}$/)
    assert.equal(started.completeVerificationUrl, `${started.verificationUrl}?code=${started.userCode}`)
    assert.equal(started.intervalSeconds, 5)
    assert.equal(Math.round((Date.parse(started.expirationDate) - Date.now()) / 60_000), 10)
    assert.deepEqual((await poll(started.deviceCode)).json, { state: 'waiting', intervalSeconds: 5, apiToken: null })

    // Case and separators do not matter.
    const typed = started.userCode.toLowerCase().replace('-', ' ')
    const found = await dev.call('POST', '/v1/loginRequests/find', { json: { userCode: typed } })
    assert.equal(found.json.name, 'laptop')
    assert.equal(found.json.userAgent, 'fairlead/1 node/26')
    assert.match(found.json.address, /127\.0\.0\.1|::1/)
    const expirationDate = '2099-01-01T00:00:00.000Z'
    const approved = await approve(dev, { userCode: typed, role: 'developer', expirationDate })
    assert.equal(approved.status, 200, approved.text)
    assert.equal((await approve(dev, { userCode: typed, role: 'viewer' })).status, 404, 'it is decided')

    await change({ next_poll_at: 0 })
    const answers = await Promise.all([poll(started.deviceCode), poll(started.deviceCode)])
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 404],
    )
    const { apiToken } = answers.find(({ status }) => status === 200)?.json ?? {}
    assert.equal(apiToken.name, 'fairlead on laptop')
    assert.equal(apiToken.createdBy, 'dev')
    const { json: caller } = await server.call('GET', '/v1/caller', { token: apiToken.token })
    assert.deepEqual(caller, {
      kind: 'token',
      name: 'fairlead on laptop',
      role: 'developer',
      workspace: { id: workspaceId, name: 'default' },
      account: dev.session?.account,
      apiTokenId: apiToken.id,
      isLogin: true,
      expirationDate,
    })
    const { json: events } = await server.call('GET', '/v1/auditEvents')
    const [created, allowed] = events
    assert.deepEqual(
      [created.action, created.actor.name, created.details.name],
      ['apiToken.create', 'dev', apiToken.name],
    )
    assert.deepEqual([allowed.action, allowed.details.role], ['loginRequest.approve', 'developer'])
    assert.ok(!JSON.stringify(events).includes(apiToken.token), 'the token is in the audit log')
  })

  it('store no code and no token that could be read', async () => {
    const { deviceCode, userCode } = await start()
    const { db } = await openDatabase(server)
    const rows = JSON.stringify(await db.selectFrom('login_requests').selectAll().execute())
    await db.destroy()
    assert.ok(!rows.includes(deviceCode))
    assert.ok(!rows.includes(userCode) && !rows.includes(userCode.replace('-', '')))
  })

  it('slow a client down that asks too often, and say when a login has expired', async () => {
    const { deviceCode, userCode } = await start()
    const seen = []
    for (let count = 0; count < 3; count++) seen.push((await poll(deviceCode)).json)
    assert.deepEqual(
      seen.map(({ state, intervalSeconds }) => [state, intervalSeconds]),
      [
        ['waiting', 5],
        ['slowDown', 10],
        ['slowDown', 15],
      ],
    )
    await change({ expires_at: Date.now() - 1 })
    assert.equal((await poll(deviceCode)).json.state, 'expired')
    assert.equal((await approve(ada, { userCode, role: 'viewer' })).status, 404)
    assert.equal((await poll('x'.repeat(43))).status, 404)
  })

  it('can be refused', async () => {
    const { deviceCode, userCode } = await start()
    const refused = await dev.call('POST', '/v1/loginRequests/refuse', { json: { userCode } })
    assert.equal(refused.status, 200, refused.text)
    assert.deepEqual((await poll(deviceCode)).json, { state: 'refused', intervalSeconds: 5, apiToken: null })
    assert.equal((await approve(dev, { userCode, role: 'viewer' })).status, 404)
    const { json: events } = await server.call('GET', '/v1/auditEvents?action=loginRequest.refuse')
    assert.equal(events.length, 1)
  })

  it('give no role that is wider than that of the person, and no workspace of others', async () => {
    await createSecondWorkspace(server)
    const { userCode } = await start()
    const wide = await approve(dev, { userCode, role: 'admin' })
    assert.equal(wide.status, 403)
    assert.match(wide.json.detail, /Your role in this workspace is developer/)
    assert.equal((await approve(dev, { userCode, role: 'viewer', workspaceId: workspaceId + 1 })).status, 403)
    const past = await approve(dev, { userCode, role: 'viewer', expirationDate: '2020-01-01T00:00:00Z' })
    assert.equal(past.status, 400)
    assert.equal((await approve(dev, { userCode, role: 'viewer' })).status, 200)
  })

  it('are decided by a session with its CSRF token only', async () => {
    const { userCode } = await start()
    for (const verb of ['find', 'approve', 'refuse']) {
      const path = `/v1/loginRequests/${verb}`
      const json = { userCode, workspaceId, role: 'viewer' }
      assert.equal((await server.call('POST', path, { json })).status, 401, `${verb} takes an API token`)
      assert.equal((await server.call('POST', path, { json, token: null })).status, 401)
      const forged = await ada.call('POST', path, { json, headers: { 'X-CSRF-Token': 'forged' } })
      assert.equal(forged.status, 403, `${verb} takes a request of another site`)
    }
  })

  it('need the second factor that the workspace requires', async () => {
    const { userCode } = await start()
    await server.call('PATCH', '/v1/workspace', { json: { isTwoFactorRequired: true } })
    const answer = await approve(ada, { userCode, role: 'viewer' })
    await server.call('PATCH', '/v1/workspace', { json: { isTwoFactorRequired: false } })
    assert.equal(answer.status, 403)
    assert.match(answer.json.detail, /two-factor/)
  })

  it('end when the person gets a lower role, leaves or is disabled, at once', async () => {
    const eve = await join(server, { email: 'eve@example.com', role: 'admin' })
    const path = `/v1/members/${eve.session?.account.id}`
    const [admin, viewer] = [await logIn(eve, 'admin'), await logIn(eve, 'viewer')]
    assert.deepEqual([await isValid(admin.token), await isValid(viewer.token)], [true, true])
    const { deviceCode, userCode } = await start()
    await approve(eve, { userCode, role: 'admin' })
    assert.equal((await server.call('PATCH', path, { json: { role: 'developer' } })).status, 200)
    assert.deepEqual([await isValid(admin.token), await isValid(viewer.token)], [false, true])
    assert.equal((await poll(deviceCode)).json.state, 'refused', 'the right was lost after the approval')
    assert.equal((await server.call('DELETE', path)).status, 204)
    assert.equal(await isValid(viewer.token), false)

    const finn = await join(server, { email: 'finn@example.com', role: 'viewer' })
    const { token } = await logIn(finn, 'viewer')
    const { db } = await openDatabase(server)
    const finnId = finn.session?.account.id ?? 0
    await db.updateTable('accounts').set({ disabled_at: Date.now() }).where('id', '=', finnId).execute()
    const left = await db.selectFrom('api_tokens').select('id').where('account_id', '=', finnId).execute()
    await db.destroy()
    assert.deepEqual(left, [])
    assert.ok(token)
  })

  it('are limited in number by network, and in codes that a person tries', async () => {
    const gus = await join(server, { email: 'gus@example.com', role: 'viewer' })
    for (let count = 0; count < 10; count++) {
      const answer = await gus.call('POST', '/v1/loginRequests/find', { json: { userCode: 'BBBB-BBBB' } })
      assert.equal(answer.status, 404)
    }
    const locked = await gus.call('POST', '/v1/loginRequests/find', { json: { userCode: 'BBBB-BBBB' } })
    assert.equal(locked.status, 429)
    assert.ok(Number(locked.headers.get('retry-after')) > 0)
    let status = 201
    for (let count = 0; count < 31 && status === 201; count++) {
      ;({ status } = await server.call('POST', '/v1/loginRequests', { token: null, json: { name: 'x' } }))
    }
    assert.equal(status, 429)
  })
})

describe('Who calls', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  it('is told to a token and to a session', async () => {
    const { json: own } = await server.call('GET', '/v1/caller')
    assert.deepEqual([own.kind, own.role, own.account, own.isLogin], ['token', 'admin', null, false])
    const ada = await join(server, { email: 'ada@example.com', role: 'viewer' })
    const { json: session } = await ada.call('GET', '/v1/caller')
    assert.deepEqual(
      [session.kind, session.role, session.account.email, session.apiTokenId],
      ['account', 'viewer', 'ada@example.com', null],
    )
    assert.equal((await server.call('GET', '/v1/caller', { token: null })).status, 401)
  })

  it('can revoke its own token, whatever its role, and no session', async () => {
    const json = { name: 'ci', role: 'viewer' }
    const { json: created } = await server.call('POST', '/v1/apiTokens', { json })
    const { token } = created
    assert.equal((await server.call('DELETE', '/v1/caller', { token })).status, 204)
    assert.equal((await server.call('GET', '/v1/caller', { token })).status, 401)
    const { json: events } = await server.call('GET', '/v1/auditEvents?action=apiToken.revoke')
    assert.deepEqual([events[0].actor.kind, events[0].actor.name], ['token', 'ci'])
    const bob = await join(server, { email: 'bob@example.com', role: 'admin' })
    assert.equal((await bob.call('DELETE', '/v1/caller')).status, 403)
    assert.equal((await bob.call('GET', '/v1/session')).status, 200)
  })
})
