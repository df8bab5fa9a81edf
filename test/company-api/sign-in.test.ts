import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type IdentityProvider, startIdentityProvider } from '../../apps/server/src/testing/identity-provider.ts'
import { ProviderBrowser, readReason } from '../../apps/server/src/testing/provider-browser.ts'
import { hasFields, startWalk, type Walk } from './walk.ts'

describe('The API of sign-in through a provider', () => {
  let walk: Walk
  let provider: IdentityProvider
  before(async () => {
    provider = await startIdentityProvider()
    walk = await startWalk({ FAIRLEAD_OIDC_PROVIDERS: JSON.stringify([provider.entry()]) })
    const { providers } = await walk.ask('GET /v1/signInOptions', 200, { token: null })
    provider.register(new URL(providers[0].startUrl).origin)
  })
  after(async () => {
    await walk?.[Symbol.asyncDispose]()
    await provider?.[Symbol.asyncDispose]()
  })

  const addPerson = (name: string, groups: string[]) =>
    provider.people.set(name, { name, email: `${name}@example.com`, email_verified: true, groups })

  it('offers the provider, leads there and back, and names it in the session', async () => {
    const { ask, answer } = walk
    const options = await ask('GET /v1/signInOptions', 200, { token: null })
    assert.equal(options.passwords, 'on')
    hasFields(options.providers[0], 'key name startUrl')
    const roles = [{ provider: 'corp', group: 'leads', role: 'admin' }]
    await ask('PUT /v1/groupRoles', 403, { json: roles, token: walk.developer })
    await ask('PUT /v1/groupRoles', 400, { json: Array.from({ length: 201 }, () => roles[0]) })
    assert.deepEqual(await ask('PUT /v1/groupRoles', 200, { json: roles }), roles)
    assert.deepEqual(await ask('GET /v1/groupRoles', 200), roles)
    await answer('GET /sign-in/oidc/nobody', 404, { token: null })
    const begun = await answer('GET /sign-in/oidc/corp?returnTo=//elsewhere.example', 302, { token: null })
    const asked = new URL(begun.headers.get('location') ?? '').searchParams
    for (const name of ['state', 'nonce', 'code_challenge']) assert.ok(asked.get(name), name)
    assert.equal(asked.get('code_challenge_method'), 'S256')
    assert.match(begun.headers.get('set-cookie') ?? '', /^fairlead_oidc=/)
    const lost = await answer('GET /sign-in/oidc/corp/callback?code=x&state=y', 400, { token: null })
    assert.match(lost.text, /<main[^>]* data-reason="state"/)
    const nobody = new ProviderBrowser(walk.server, provider)
    addPerson('bob', [])
    const refused = await nobody.signIn('bob')
    assert.deepEqual([refused.status, readReason(refused)], [403, 'noAccess'])

    addPerson('ada', ['leads'])
    const browser = new ProviderBrowser(walk.server, provider)
    const callback = await browser.goThere('ada', { returnTo: '/groups' })
    const back = await browser.call('GET', callback)
    assert.deepEqual([back.status, back.headers.get('location')], [303, '/groups'])
    assert.ok(browser.cookies.has('fairlead_session'))
    assert.equal((await new ProviderBrowser(walk.server, provider).call('GET', callback)).status, 400)
    const session = await browser.readSession()
    assert.ok(session)
    hasFields(session, 'signedInBy logoutUrl')
    assert.equal(session.signedInBy, 'corp')
    const [identity] = (await browser.call('GET', '/v1/account/identities')).json
    assert.equal(identity.provider, 'corp')
    const only = await browser.call('DELETE', `/v1/account/identities/${identity.id}`)
    assert.deepEqual([only.status, only.json.title], [409, 'Conflict'])
    const member = (await ask('GET /v1/members', 200)).find((one: { email: string }) => one.email === 'ada@example.com')
    assert.deepEqual([member.role, member.roleSource], ['admin', 'group'])
    const required = await ask('PATCH /v1/workspace', 200, { json: { requiredProvider: 'corp' } })
    assert.equal(required.requiredProvider, 'corp')
    await ask('PATCH /v1/workspace', 200, { json: { requiredProvider: null } })
    const logout = '/sign-in/oidc/corp/backChannelLogout'
    const wrong = await answer(`POST ${logout}`, 400, {
      token: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'logout_token=wrong',
    })
    assert.equal(wrong.headers.get('cache-control'), 'no-store')
    assert.equal((await browser.call('POST', '/v1/session/link', { json: { password: 'x' } })).status >= 400, true)
    await provider.signOut(browser.cookiesThere)
    assert.equal(await browser.readSession(), undefined, 'the back channel ended the session')
  })
})
