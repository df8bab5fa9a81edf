import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openDatabase } from '../db/open.ts'
import { generateCode } from '../testing/authenticator.ts'
import { type Browser, invite, join, password, signIn } from '../testing/browser.ts'
import { createSecondWorkspace } from '../testing/second-workspace.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'

const email = 'ada@example.com'

describe('Two-factor sign-in', () => {
  let server: TestServer
  let ada: Browser
  let secret: string
  let recoveryCodes: string[]

  /** The code of the period that is `periods` away; every code works once, so each test needs its own. */
  // All codes count from one time, so that it does not matter when a period ends.
  let confirmedAt = 0
  const codeOf = (periods = 0) => generateCode(secret, periods, confirmedAt)
  const attempt = (code?: string, given = password) =>
    server.call('POST', '/v1/session', { token: null, json: { email, password: given, code } })
  /** Lets the code of the current period be used again. */
  const forgetSteps = async () => {
    const { db } = await openDatabase(server)
    await db.updateTable('accounts').set({ totp_last_step: 0 }).execute()
    await db.destroy()
  }

  before(async () => {
    server = await startServer()
    ada = await join(server, { email, role: 'admin' })
  })
  after(() => server[Symbol.asyncDispose]())

  it('is set up with the password and a first code', async () => {
    assert.deepEqual((await ada.call('GET', '/v1/twoFactor')).json, {
      isEnabled: false,
      enabledDate: null,
      recoveryCodesLeft: 0,
    })
    const wrong = await ada.call('POST', '/v1/twoFactor', { json: { password: 'wrong' } })
    assert.equal(wrong.status, 400)
    const started = await ada.call('POST', '/v1/twoFactor', { json: { password } })
    assert.equal(started.status, 201)
    secret = started.json.secret
    assert.match(started.json.uri, /^otpauth:\/\/totp\/Fairlead:ada%40example\.com\?/)
    assert.equal((await attempt()).status, 201, 'not in use before it is confirmed')
    assert.equal((await ada.call('POST', '/v1/twoFactor/confirm', { json: { code: '000000' } })).status, 422)
    confirmedAt = Date.now()
    const confirmed = await ada.call('POST', '/v1/twoFactor/confirm', { json: { code: codeOf() } })
    assert.equal(confirmed.status, 200, confirmed.text)
    recoveryCodes = confirmed.json.recoveryCodes
    assert.equal(new Set(recoveryCodes).size, 10)
    assert.equal((await ada.call('GET', '/v1/session')).json.hasTwoFactor, true)
    assert.equal((await ada.call('POST', '/v1/twoFactor', { json: { password } })).status, 409)
  })

  it('asks for a code after the right password, and each code works once', async () => {
    const missing = await attempt()
    assert.equal(missing.status, 422)
    assert.deepEqual(missing.json.errors, [{ source: '/code', detail: 'is missing' }])
    assert.equal((await attempt(codeOf(), 'wrong')).status, 401, 'a code does not replace the password')
    assert.equal((await attempt(codeOf())).status, 422, 'the code that confirmed it was used')
    assert.equal((await attempt(codeOf(1))).status, 201, 'a clock may be half a minute off')
    assert.equal((await attempt(codeOf(1))).status, 422)
    assert.equal((await attempt(codeOf(5))).status, 422)
  })

  it('takes a recovery code, however it is typed, once', async () => {
    const [first = '', second = ''] = recoveryCodes
    assert.equal((await attempt(first)).status, 201)
    assert.equal((await attempt(first)).status, 422)
    assert.equal((await attempt(second.toUpperCase().replaceAll('-', ' '))).status, 201)
    assert.equal((await ada.call('GET', '/v1/twoFactor')).json.recoveryCodesLeft, 8)
  })

  it('is asked for when an account accepts an invitation', async () => {
    const token = await invite(server, { email, role: 'viewer', token: await createSecondWorkspace(server) })
    const accept = (code?: string) =>
      server.call('POST', '/v1/invitations/accept', { token: null, json: { token, password, code } })
    assert.equal((await accept()).status, 422)
    assert.equal((await accept(recoveryCodes[2])).status, 201)
  })

  it('limits guesses of codes', async () => {
    const statuses: number[] = []
    for (let count = 0; count < 12; count++) statuses.push((await attempt('123456')).status)
    assert.ok(statuses.includes(429))
    assert.ok(statuses.lastIndexOf(422) < statuses.indexOf(429), statuses.join())
  })

  it('stores recovery codes as digests', async () => {
    const { db } = await openDatabase(server)
    const text = JSON.stringify(await db.selectFrom('recovery_codes').selectAll().execute())
    await db.destroy()
    for (const code of recoveryCodes) assert.ok(!text.includes(code) && !text.includes(code.replaceAll('-', '')))
  })

  it('can be turned off, and its recovery codes replaced, with the password and a code', async () => {
    await using other = await startServer()
    const eve = await join(other, { email: 'eve@example.com', role: 'admin' })
    const { json: started } = await eve.call('POST', '/v1/twoFactor', { json: { password } })
    const { json: first } = await eve.call('POST', '/v1/twoFactor/confirm', {
      json: { code: generateCode(started.secret) },
    })
    const [oldCode = '', spare = ''] = first.recoveryCodes
    const renewed = await eve.call('POST', '/v1/twoFactor/recoveryCodes', { json: { password, code: oldCode } })
    assert.equal(renewed.status, 200)
    const off = (code: string) => eve.call('DELETE', '/v1/twoFactor', { json: { password, code } })
    assert.equal((await off(spare)).status, 422, 'the old codes are void')
    assert.equal((await off(renewed.json.recoveryCodes[0])).status, 204)
    await signIn(other, 'eve@example.com')
  })

  it('leaves ten recovery codes when they are replaced twice at once', async () => {
    await using other = await startServer()
    const zoe = await join(other, { email: 'zoe@example.com', role: 'admin' })
    const { json: started } = await zoe.call('POST', '/v1/twoFactor', { json: { password } })
    const code = generateCode(started.secret)
    const { json: first } = await zoe.call('POST', '/v1/twoFactor/confirm', { json: { code } })
    const codes: string[] = first.recoveryCodes
    const renewals = codes
      .slice(0, 3)
      .map((code) => zoe.call('POST', '/v1/twoFactor/recoveryCodes', { json: { password, code } }))
    const statuses = (await Promise.all(renewals)).map(({ status }) => status)
    assert.ok(statuses.includes(200), statuses.join())
    assert.equal((await zoe.call('GET', '/v1/twoFactor')).json.recoveryCodesLeft, 10)
  })

  it('can be required by a workspace, of people and not of tokens', async () => {
    await forgetSteps()
    const json = { isTwoFactorRequired: true }
    const bob = await join(server, { email: 'bob@example.com', role: 'admin' })
    assert.equal((await bob.call('PATCH', '/v1/workspace', { json })).status, 400, 'he would lock himself out')
    assert.equal((await ada.call('PATCH', '/v1/workspace', { json })).json.isTwoFactorRequired, true)
    const refused = await bob.call('GET', '/v1/applications')
    assert.equal(refused.status, 403)
    assert.match(refused.json.detail, /two-factor/)
    const session = (await bob.call('GET', '/v1/session')).json
    assert.equal(session.workspaces[0].isTwoFactorRequired, true)
    assert.equal(session.hasTwoFactor, false)
    assert.equal((await ada.call('GET', '/v1/applications')).status, 200)
    assert.equal((await server.call('GET', '/v1/applications')).status, 200)

    const started = await bob.call('POST', '/v1/twoFactor', { json: { password } })
    const code = generateCode(started.json.secret)
    assert.equal((await bob.call('POST', '/v1/twoFactor/confirm', { json: { code } })).status, 200)
    assert.equal((await bob.call('GET', '/v1/applications')).status, 200)
  })
})
