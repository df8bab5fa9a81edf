import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createAccount } from '../accounts/create.ts'
import { openDatabase } from '../db/open.ts'
import { addMember } from '../members/add.ts'
import { createPasswords } from '../passwords/passwords.ts'
import { grantServerAdmin } from '../server-admin/grant.ts'
import { type Browser, invite, password, signIn } from '../testing/browser.ts'
import { type IdentityProvider, startIdentityProvider } from '../testing/identity-provider.ts'
import { type MailServer, startMailServer } from '../testing/mail-server.ts'
import { ProviderBrowser, readReason } from '../testing/provider-browser.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'

/** Its accounts with passwords are rows, as they are when passwords were on before. */
describe('A server whose passwords are for its administrators only', () => {
  let provider: IdentityProvider
  let mails: MailServer
  let server: TestServer
  let root: Browser

  before(async () => {
    provider = await startIdentityProvider()
    mails = await startMailServer()
    server = await startServer({
      FAIRLEAD_SMTP_URL: mails.url,
      FAIRLEAD_OIDC_PROVIDERS: JSON.stringify([provider.entry()]),
      FAIRLEAD_PASSWORD_SIGN_IN: 'server-admins',
      FAIRLEAD_OIDC_SESSION_HOURS: '2',
    })
    const { json } = await server.call('GET', '/v1/signInOptions', { token: null })
    assert.equal(json.passwords, 'server-admins')
    provider.register(json.providers[0].startUrl.replace(/\/sign-in\/.*/, ''))
    const { db } = await openDatabase(server)
    for (const [id, name] of ['root', 'second', 'ada'].entries()) {
      const passwordHash = await createPasswords().hash(password)
      const account = await createAccount(db, {
        email: `${name}@example.com`,
        name,
        passwordHash,
        isVerified: true,
      })
      await addMember(db, 1, account.id, 'admin')
      if (id < 2) await grantServerAdmin(db, account.email, true)
    }
    await db.destroy()
    root = await signIn(server, 'root@example.com')
  })
  after(async () => {
    await server[Symbol.asyncDispose]()
    await mails[Symbol.asyncDispose]()
    await provider[Symbol.asyncDispose]()
  })

  const post = (path: string, json: unknown) => server.call('POST', path, { token: null, json })

  it('tells the other administrators of the server of such a sign-in', async () => {
    assert.equal(root.session?.signedInBy, 'password')
    const { decoded } = await mails.waitForMail('second@example.com')
    assert.match(decoded, /root signed in with a password/)
    assert.ok(!mails.mails.some(({ recipients }) => recipients.includes('root@example.com')))
  })

  it('refuses the right password of anyone else, and tells nobody whether a wrong one was close', async () => {
    const right = await post('/v1/session', { email: 'ada@example.com', password })
    assert.equal(right.status, 403)
    assert.equal(right.json.detail, 'Passwords are off on this server; sign in through a provider')
    assert.equal((await post('/v1/session', { email: 'ada@example.com', password: 'wrong' })).status, 401)
    assert.equal((await post('/v1/passwordResets', { email: 'ada@example.com' })).status, 202)
    await invite(server, { email: 'newcomer@example.com', role: 'viewer' })
    const { decoded } = await mails.waitForMail('newcomer@example.com')
    const token = /token=([\w-]{43})/.exec(decoded)?.[1]
    assert.equal((await post('/v1/invitations/accept', { token, name: 'New', password })).status, 403)
    assert.deepEqual(mails.mails, [], 'no reset was mailed')
  })

  it('lets invited people in through the provider without a password', async () => {
    const people = { email: 'newcomer@example.com', email_verified: true }
    provider.people.set('newcomer', people)
    const browser = new ProviderBrowser(server, provider)
    assert.equal((await browser.signIn('newcomer')).status, 303)
    assert.equal(browser.session?.account.name, 'newcomer')
    assert.equal(browser.session.workspaces[0]?.role, 'viewer')
    const [session] = (await browser.call('GET', '/v1/sessions')).json
    assert.equal(Date.parse(session.expirationDate) - Date.parse(session.createdDate), 2 * 3_600_000)
  })

  it('takes a password as the proof of an account that is linked', async () => {
    provider.people.set('ada', { email: 'ada@example.com', email_verified: true, groups: [] })
    const browser = new ProviderBrowser(server, provider)
    assert.equal((await browser.signIn('ada')).headers.get('location'), '/sign-in/link')
    const linked = await browser.call('POST', '/v1/session/link', { json: { password } })
    assert.equal(linked.status, 201, linked.text)
    browser.session = linked.json
    const [identity] = (await browser.call('GET', '/v1/account/identities')).json
    const refused = await browser.call('DELETE', `/v1/account/identities/${identity.id}`)
    assert.equal(refused.status, 409, 'the password is no way in')
  })

  it('disables an account for every way in, and revokes the tokens it made', async () => {
    const browser = new ProviderBrowser(server, provider)
    await browser.signIn('ada')
    const token = await browser.call('POST', '/v1/apiTokens', { json: { name: 'of Ada', role: 'admin' } })
    assert.equal(token.json.createdByAccountId, browser.session?.account.id)
    const path = `/v1/server/accounts/${browser.session?.account.id}`
    assert.equal((await browser.call('PATCH', path, { json: { isDisabled: true } })).status, 403)
    const [listed] = (await root.call('GET', `${path}/apiTokens`)).json
    assert.deepEqual([listed.name, listed.workspace.name], ['of Ada', 'default'])
    const disabled = await root.call('PATCH', path, { json: { isDisabled: true, revokeTokens: true } })
    assert.equal(disabled.status, 200, disabled.text)
    assert.deepEqual([disabled.json.isDisabled, disabled.json.providers], [true, ['corp']])
    assert.equal((await browser.call('GET', '/v1/session')).status, 401)
    assert.equal((await server.call('GET', '/v1/applications', { token: token.json.token })).status, 401)
    const answer = await browser.signIn('ada')
    assert.deepEqual([answer.status, readReason(answer)], [403, 'disabled'])
    const { json: events } = await server.call('GET', '/v1/auditEvents')
    const actions = new Set(events.map(({ action }: { action: string }) => action))
    assert.ok(actions.has('account.disable') && actions.has('apiToken.revoke'))
    assert.equal((await root.call('PATCH', path, { json: { isDisabled: false } })).json.isDisabled, false)
    assert.equal((await browser.signIn('ada')).status, 303)
    const own = `/v1/server/accounts/${root.session?.account.id}`
    assert.equal((await root.call('PATCH', own, { json: { isDisabled: true } })).status, 409)
    assert.equal((await root.call('PATCH', '/v1/server/accounts/99999', { json: {} })).status, 404)
  })

  it('shows whether its providers answer', async () => {
    const [reachable] = (await root.call('GET', '/v1/server/providers')).json
    assert.deepEqual([reachable.key, reachable.isReachable, reachable.identityCount], ['corp', true, 2])
    assert.match(reachable.callbackUrl, /\/sign-in\/oidc\/corp\/callback$/)
    assert.ok(reachable.lastSignInDate)
    provider.isAway = true
    const [away] = (await root.call('GET', '/v1/server/providers')).json
    assert.equal(away.isReachable, false)
    assert.notEqual(away.error, null)
    provider.isAway = false
  })
})
