import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { AuditEvent, Member } from '@fairlead/contract'
import { join, invite, password, signIn } from '../testing/browser.ts'
import { type IdentityProvider, startIdentityProvider } from '../testing/identity-provider.ts'
import { type MailServer, startMailServer } from '../testing/mail-server.ts'
import { ProviderBrowser, readReason } from '../testing/provider-browser.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'

describe('Sign-in through a real OpenID provider', () => {
  let provider: IdentityProvider
  let mails: MailServer
  let server: TestServer

  before(async () => {
    provider = await startIdentityProvider()
    mails = await startMailServer()
    server = await startServer({
      FAIRLEAD_SMTP_URL: mails.url,
      FAIRLEAD_OIDC_PROVIDERS: JSON.stringify([
        provider.entry(),
        provider.entry({ key: 'other', name: 'Other', domains: ['example.com', 'move.example'], linkByEmail: true }),
        provider.entry({ key: 'closed', name: 'Closed', createAccounts: false }),
        provider.entry({ key: 'vouched', name: 'Vouched', emailIsVerified: true }),
      ]),
    })
    provider.register((await options()).providers[0].startUrl.replace(/\/sign-in\/.*/, ''))
    await server.call('PUT', '/v1/groupRoles', {
      json: [
        { provider: 'corp', group: 'mobile', role: 'developer' },
        { provider: 'corp', group: 'leads', role: 'admin' },
        { provider: 'corp', group: 'everybody', role: 'viewer' },
        { provider: 'closed', group: 'mobile', role: 'developer' },
        { provider: 'vouched', group: 'mobile', role: 'developer' },
      ],
    })
    addPerson('ada', { groups: ['everybody', 'mobile'] })
  })
  after(async () => {
    await server[Symbol.asyncDispose]()
    await mails[Symbol.asyncDispose]()
    await provider[Symbol.asyncDispose]()
  })

  const options = async () => (await server.call('GET', '/v1/signInOptions', { token: null })).json
  const openBrowser = () => new ProviderBrowser(server, provider)
  const audit = async (action: string): Promise<AuditEvent[]> =>
    (await server.call('GET', `/v1/auditEvents?action=${action}`)).json
  const findMember = async (email: string): Promise<Member | undefined> =>
    (await server.call('GET', '/v1/members')).json.find((member: Member) => member.email === email)

  function addPerson(name: string, claims: Record<string, unknown> = {}) {
    provider.people.set(name, {
      name: `${name} of Corp`,
      email: `${name}@example.com`,
      email_verified: true,
      groups: [],
      ...claims,
    })
  }

  it('is offered to everybody by name', async () => {
    const { passwords, providers } = await options()
    assert.equal(passwords, 'on')
    assert.deepEqual(
      providers.map(({ key, name }: { key: string; name: string }) => `${key} ${name}`),
      ['corp Corp', 'other Other', 'closed Closed', 'vouched Vouched'],
    )
    assert.match(providers[0].startUrl, /^http:\/\/localhost:\d+\/sign-in\/oidc\/corp$/)
    assert.equal((await server.call('GET', '/sign-in/oidc/unknown', { token: null })).status, 404)
  })

  it('makes an account with the highest role of the groups, and a session that names the provider', async () => {
    const browser = openBrowser()
    const begun = await browser.call('GET', '/sign-in/oidc/corp?returnTo=/applications')
    assert.equal(begun.status, 302)
    const asked = new URL(begun.headers.get('location') ?? '').searchParams
    assert.equal(asked.get('code_challenge_method'), 'S256')
    for (const name of ['state', 'nonce', 'code_challenge']) assert.match(asked.get(name) ?? '', /^[\w-]{43}$/, name)
    assert.match(
      begun.headers.getSetCookie()[0] ?? '',
      /^fairlead_oidc=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    )

    const back = await browser.call('GET', await browser.comeBack(begun.headers.get('location') ?? '', 'ada'))
    assert.equal(back.status, 303, back.text)
    assert.equal(back.headers.get('location'), '/applications')
    const session = await browser.readSession()
    assert.equal(session?.signedInBy, 'corp')
    assert.equal(session?.account.email, 'ada@example.com')
    assert.equal(session?.account.name, 'ada of Corp')
    assert.equal(session?.workspaces[0]?.role, 'developer')
    const logout = new URL(session?.logoutUrl ?? '')
    assert.equal(logout.origin, provider.issuer)
    assert.equal(logout.searchParams.get('client_id'), 'fairlead')
    assert.match(logout.searchParams.get('post_logout_redirect_uri') ?? '', /^http:\/\/localhost:\d+\/sign-in$/)

    assert.equal((await findMember('ada@example.com'))?.roleSource, 'group')
    assert.match((await mails.waitForMail('ada@example.com')).decoded, /signed in through Corp for the first time/)
    const [started] = await audit('session.start')
    assert.equal(started?.actor.name, 'ada of Corp')
    assert.equal(started?.details['provider'], 'corp')
    const [open] = (await browser.call('GET', '/v1/sessions')).json
    assert.equal(open.signedInBy, 'corp')
    assert.ok(Date.parse(open.expirationDate) - Date.parse(open.createdDate) <= 12 * 3_600_000)
  })

  it('works in two tabs at once, and each callback once', async () => {
    const browser = openBrowser()
    const first = await browser.goThere('ada', { returnTo: '/first' })
    const second = await browser.goThere('ada', { returnTo: '/second?tab=2#end' })
    const cookies = new Map(browser.cookies)
    assert.equal((await browser.call('GET', second)).headers.get('location'), '/second?tab=2#end')
    assert.equal((await browser.call('GET', first)).headers.get('location'), '/first')
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    const again = await browser.call('GET', first)
    assert.equal(again.status, 400)
    assert.equal(readReason(again), 'state')
  })

  it('refuses a state that is missing, of another browser or of another provider', async () => {
    const browser = openBrowser()
    const path = await browser.goThere('ada')
    for (const [asker, address] of [
      [openBrowser(), path],
      [browser, path.replace(/state=[^&]+/, 'state=planted')],
      [browser, path.replace(/state=[^&]+/, '')],
      [browser, '/sign-in/oidc/corp/callback'],
      [browser, path.replace('/corp/', '/other/')],
    ] as const) {
      const answer = await asker.call('GET', address)
      assert.equal(answer.status, 400, address)
      assert.equal(readReason(answer), 'state')
      assert.deepEqual(
        answer.headers.getSetCookie().filter((line) => line.startsWith('fairlead_session')),
        [],
      )
    }
  })

  it('ends at paths of this server only', async () => {
    for (const returnTo of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      '/\t/evil.example',
      '/.//evil.example',
    ]) {
      assert.equal((await openBrowser().signIn('ada', { returnTo })).headers.get('location'), '/', returnTo)
    }
  })

  it('shows what the provider says as text', async () => {
    const answer = await openBrowser().signIn('nobody')
    assert.equal(answer.status, 400)
    assert.equal(readReason(answer), 'provider')
    assert.match(answer.text, /No &lt;b&gt;entry&lt;\/b&gt;/)
  })

  it('makes no account without a verified address of a domain, and a group or an invitation', async () => {
    addPerson('eve', { email_verified: false, groups: ['mobile'] })
    addPerson('mallory', { email: 'mallory@elsewhere.example', groups: ['mobile'] })
    addPerson('trent')
    addPerson('victor', { groups: undefined })
    addPerson('walter', { groups: undefined, _claim_names: { groups: 'src1' } })
    for (const [name, reason] of [
      ['eve', 'emailUnverified'],
      ['mallory', 'domain'],
      ['trent', 'noAccess'],
      ['victor', 'noGroups'],
      ['walter', 'noGroups'],
    ] as const) {
      const browser = openBrowser()
      const answer = await browser.signIn(name)
      assert.equal(answer.status, 403, name)
      assert.equal(readReason(answer), reason)
      assert.equal(browser.session, undefined)
    }
    await invite(server, { email: 'Trent@example.com', role: 'viewer' })
    const browser = openBrowser()
    assert.equal((await browser.signIn('trent')).status, 303)
    assert.equal(browser.session?.workspaces[0]?.role, 'viewer')
    assert.equal((await findMember('trent@example.com'))?.roleSource, 'hand')
    assert.deepEqual((await server.call('GET', '/v1/invitations')).json, [])
  })

  it('makes no account where the operator turned that off, and lets in who has one', async () => {
    addPerson('closa', { groups: ['mobile'] })
    await invite(server, { email: 'closa@example.com', role: 'viewer' })
    const refused = openBrowser()
    const answer = await refused.signIn('closa', { key: 'closed' })
    assert.deepEqual([answer.status, readReason(answer), refused.session], [403, 'noAccess', undefined])
    assert.equal(await findMember('closa@example.com'), undefined)
    await join(server, { email: 'closo@example.com', role: 'viewer', mailServer: mails })
    addPerson('closo', { groups: ['mobile'] })
    const browser = openBrowser()
    assert.equal((await browser.signIn('closo', { key: 'closed' })).headers.get('location'), '/sign-in/link')
    const linked = await browser.call('POST', '/v1/session/link', { json: { password } })
    assert.deepEqual([linked.status, linked.json.workspaces[0].role], [201, 'developer'])
  })

  it('takes an address for verified that the provider says nothing of, where the operator vouches for it', async () => {
    addPerson('silent', { email_verified: undefined, groups: ['mobile'] })
    const unvouched = await openBrowser().signIn('silent')
    assert.deepEqual([unvouched.status, readReason(unvouched)], [403, 'emailUnverified'])
    addPerson('denied', { email_verified: false, groups: ['mobile'] })
    const denied = await openBrowser().signIn('denied', { key: 'vouched' })
    assert.deepEqual([denied.status, readReason(denied)], [403, 'emailUnverified'], 'a no is not silence')
    const browser = openBrowser()
    assert.equal((await browser.signIn('silent', { key: 'vouched' })).status, 303)
    assert.deepEqual(
      browser.session?.workspaces.map(({ role }) => role),
      ['developer'],
    )
  })

  it('computes roles anew at each sign-in, for all sessions, and leaves those given by hand', async () => {
    addPerson('lea', { groups: ['leads'] })
    const [first, second] = [openBrowser(), openBrowser()]
    await first.signIn('lea')
    assert.equal((await first.call('GET', '/v1/apiTokens')).status, 200)
    addPerson('lea', { groups: undefined })
    await second.signIn('lea')
    assert.equal(second.session?.workspaces[0]?.role, 'admin', 'groups that are left out are not no groups')
    addPerson('lea', { groups: ['everybody'] })
    await second.signIn('lea')
    assert.equal((await first.call('GET', '/v1/apiTokens')).status, 403)
    const accountId = first.session?.account.id ?? 0
    const raised = await server.call('PATCH', `/v1/members/${accountId}`, { json: { role: 'developer' } })
    assert.equal(raised.json.roleSource, 'hand')
    addPerson('lea', { groups: ['leads'] })
    await second.signIn('lea')
    assert.equal((await findMember('lea@example.com'))?.role, 'admin')
    assert.equal((await server.call('PATCH', `/v1/members/${accountId}`, { json: { role: 'viewer' } })).status, 409)
    addPerson('lea', { groups: [] })
    await second.signIn('lea')
    const member = await findMember('lea@example.com')
    assert.deepEqual([member?.role, member?.roleSource], ['developer', 'hand'])
    const changes = (await audit('member.update')).filter(({ details }) => details['provider'] === 'corp')
    assert.deepEqual(
      changes.map(({ details }) => details['role']),
      ['developer', 'admin', 'viewer'],
    )
  })

  it('ends the membership of the last administrator too, when the group is gone', async () => {
    addPerson('bob', { groups: ['leads'] })
    const browser = openBrowser()
    await browser.signIn('bob')
    addPerson('bob', { groups: ['unknown group'] })
    const answer = await browser.signIn('bob')
    assert.equal(readReason(answer), 'noAccess')
    assert.equal((await browser.call('GET', '/v1/session')).status, 401)
    assert.equal(await findMember('bob@example.com'), undefined)
  })

  it('links an existing account only with its password, whatever the address says', async () => {
    await join(server, { email: 'grace@example.com', role: 'viewer', mailServer: mails })
    addPerson('grace', { groups: ['mobile'] })
    const browser = openBrowser()
    const answer = await browser.signIn('grace', { returnTo: '/builds' })
    assert.equal(answer.status, 303)
    assert.equal(answer.headers.get('location'), '/sign-in/link')
    assert.equal(browser.session, undefined)
    const pending = await browser.call('GET', '/v1/session/link')
    assert.deepEqual(pending.json, {
      provider: 'corp',
      providerName: 'Corp',
      email: 'grace@example.com',
      returnTo: '/builds',
      hasPassword: true,
    })
    assert.equal((await browser.call('POST', '/v1/session/link', { json: { password: 'wrong' } })).status, 401)
    assert.equal((await openBrowser().call('POST', '/v1/session/link', { json: { password } })).status, 401)
    const linked = await browser.call('POST', '/v1/session/link', { json: { password } })
    assert.equal(linked.status, 201, linked.text)
    assert.equal(linked.json.signedInBy, 'corp')
    assert.equal(linked.json.workspaces[0].role, 'developer')
    assert.equal((await browser.call('POST', '/v1/session/link', { json: { password } })).status, 401, 'it works once')
    assert.match((await mails.waitForMail('grace@example.com')).decoded, /Corp was linked to your account/)
    assert.equal((await audit('identity.link'))[0]?.actor.name, 'grace')
    const again = openBrowser()
    assert.equal((await again.signIn('grace')).headers.get('location'), '/applications')
  })

  it('links from the account page, and unlinks what is not the only way in', async () => {
    await join(server, { email: 'hedy@example.com', role: 'viewer', mailServer: mails })
    const old = await signIn(server, 'hedy@example.com')
    const browser = openBrowser()
    browser.session = old.session
    browser.cookies.set('fairlead_session', old.cookie?.split('=')[1] ?? '')
    addPerson('hedy', { email: 'hedy@private.example' })
    const begun = await browser.call('POST', '/v1/account/identities', { json: { provider: 'corp' } })
    assert.equal(begun.status, 200, begun.text)
    const path = await browser.comeBack(begun.json.url, 'hedy')
    assert.equal(readReason(await openBrowser().call('GET', path)), 'state', 'another browser links nothing')
    assert.equal((await browser.call('GET', path)).headers.get('location'), '/account')
    await browser.readSession()
    assert.equal(browser.session?.account.email, 'hedy@example.com')
    const [identity] = (await browser.call('GET', '/v1/account/identities')).json
    assert.deepEqual([identity.provider, identity.email], ['corp', 'hedy@private.example'])
    const ada = openBrowser()
    await ada.signIn('ada')
    const [only] = (await ada.call('GET', '/v1/account/identities')).json
    assert.equal((await ada.call('DELETE', `/v1/account/identities/${identity.id}`)).status, 404)
    assert.equal((await ada.call('DELETE', `/v1/account/identities/${only.id}`)).status, 409)
    assert.equal((await browser.call('DELETE', `/v1/account/identities/${identity.id}`)).status, 204)
    assert.equal((await browser.call('GET', '/v1/session')).status, 401, 'its sessions end with it')
    assert.equal((await signIn(server, 'hedy@example.com')).session?.signedInBy, 'password')
  })

  it('links by a verified address where the operator trusts it, and takes over a new address', async () => {
    await join(server, { email: 'ida@move.example', role: 'viewer', mailServer: mails })
    addPerson('ida', { email: 'ida@move.example' })
    const browser = openBrowser()
    assert.equal((await browser.signIn('ida', { key: 'other' })).headers.get('location'), '/applications')
    assert.equal(browser.session?.account.email, 'ida@move.example')
    addPerson('ida', { email: 'ida.new@move.example', email_verified: false })
    await browser.signIn('ida', { key: 'other' })
    assert.equal(browser.session?.account.email, 'ida@move.example')
    addPerson('ida', { email: 'ada@example.com' })
    await browser.signIn('ida', { key: 'other' })
    assert.equal(browser.session?.account.email, 'ida@move.example', 'the address of somebody else is not taken')
    addPerson('ida', { email: 'ida.newer@move.example' })
    await browser.signIn('ida', { key: 'other' })
    assert.equal(browser.session?.account.email, 'ida.newer@move.example')
  })

  it('goes on when the provider rotates its keys, and says so when it is away', async () => {
    const browser = openBrowser()
    await browser.signIn('ada')
    provider.register((await options()).providers[0].startUrl.replace(/\/sign-in\/.*/, ''))
    browser.cookiesThere.clear()
    assert.equal((await browser.signIn('ada')).status, 303)
    const path = await browser.goThere('ada')
    provider.isAway = true
    const answer = await browser.call('GET', path)
    assert.equal(answer.status, 503)
    assert.equal(readReason(answer), 'unavailable')
    assert.equal((await browser.call('GET', '/v1/session')).status, 200, 'sessions go on')
    provider.isAway = false
  })

  it('ends the sessions that the provider ends', async () => {
    const [here, there] = [openBrowser(), openBrowser()]
    await here.signIn('ada')
    await there.signIn('ada')
    await provider.signOut(here.cookiesThere)
    assert.equal((await here.call('GET', '/v1/session')).status, 401)
    assert.equal((await there.call('GET', '/v1/session')).status, 200)
    const [ended] = await audit('session.end')
    assert.equal(ended?.details['provider'], 'corp')
  })

  it('keeps everybody else out of a workspace that requires it', async () => {
    const browser = openBrowser()
    await browser.signIn('ada')
    const grace = await signIn(server, 'grace@example.com')
    assert.equal((await server.call('PATCH', '/v1/workspace', { json: { requiredProvider: 'nope' } })).status, 422)
    const { json } = await server.call('PATCH', '/v1/workspace', {
      json: { requiredProvider: 'corp', isTwoFactorRequired: true },
    })
    assert.equal(json.requiredProvider, 'corp')
    const refused = await grace.call('GET', '/v1/applications')
    assert.equal(refused.status, 403)
    assert.equal(refused.json.detail, 'This workspace requires sign-in through Corp')
    assert.equal(
      (await browser.call('GET', '/v1/applications')).status,
      200,
      'two-factor is the matter of the provider',
    )
    assert.equal((await grace.call('GET', '/v1/session')).json.workspaces[0].requiredProvider, 'corp')
    await server.call('PATCH', '/v1/workspace', { json: { requiredProvider: null, isTwoFactorRequired: false } })
    assert.equal((await grace.call('GET', '/v1/applications')).status, 200)
  })

  it('lists and replaces the roles of groups', async () => {
    const ada = openBrowser()
    await ada.signIn('ada')
    const { json: list } = await ada.call('GET', '/v1/groupRoles')
    assert.deepEqual(list[0], { provider: 'corp', group: 'mobile', role: 'developer' })
    assert.equal((await ada.call('PUT', '/v1/groupRoles', { json: [] })).status, 403)
    const wrong = [{ provider: 'nope', group: 'x', role: 'admin' }]
    const refused = await server.call('PUT', '/v1/groupRoles', { json: wrong })
    assert.equal(refused.status, 422)
    assert.equal(refused.json.errors[0].source, '/0/provider')
    const many = Array.from({ length: 201 }, () => list[0])
    assert.equal((await server.call('PUT', '/v1/groupRoles', { json: many })).status, 400)
    assert.deepEqual((await server.call('PUT', '/v1/groupRoles', { json: list })).json, list)
    assert.equal((await audit('groupRoles.replace'))[0]?.details['count'], 5)
  })
})
