import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createAccount } from '../../apps/server/src/accounts/create.ts'
import { openDatabase } from '../../apps/server/src/db/open.ts'
import { addMember } from '../../apps/server/src/members/add.ts'
import { createPasswords } from '../../apps/server/src/passwords/passwords.ts'
import { grantServerAdmin } from '../../apps/server/src/server-admin/grant.ts'
import { generateCode } from '../../apps/server/src/testing/authenticator.ts'
import { type Browser, join, password, signIn } from '../../apps/server/src/testing/browser.ts'
import { type IdentityProvider, startIdentityProvider } from '../../apps/server/src/testing/identity-provider.ts'
import { ProviderBrowser, readReason } from '../../apps/server/src/testing/provider-browser.ts'
import { startWalk, type Walk } from './walk.ts'

const groupRoles = [
  { provider: 'corp', group: 'mobile', role: 'developer' },
  { provider: 'claims', group: 'mobile', role: 'viewer' },
]

async function startWith(provider: IdentityProvider, environment: Record<string, string>): Promise<Walk> {
  const walk = await startWalk(environment)
  const { providers } = await walk.ask('GET /v1/signInOptions', 200, { token: null })
  provider.register(new URL(providers[0].startUrl).origin)
  const keys = new Set(providers.map(({ key }: { key: string }) => key))
  const roles = groupRoles.filter((role) => keys.has(role.provider))
  await walk.ask('PUT /v1/groupRoles', 200, { json: roles })
  return walk
}

function addPerson(provider: IdentityProvider, name: string, claims: Record<string, unknown> = {}): void {
  const usual = { name, email: `${name}@example.com`, email_verified: true, groups: ['mobile'] }
  provider.people.set(name, { ...usual, ...claims })
}

describe('The API of sign-in: refusals and links', () => {
  let walk: Walk
  let provider: IdentityProvider
  let folder: string
  before(async () => {
    provider = await startIdentityProvider()
    folder = await mkdtemp(joinPath(tmpdir(), 'fairlead-providers-'))
    const file = joinPath(folder, 'providers.json')
    const others = { key: 'claims', name: 'Claims', groupsClaim: 'roles', domains: undefined }
    await writeFile(file, JSON.stringify([provider.entry(), provider.entry(others)]))
    walk = await startWith(provider, { FAIRLEAD_OIDC_PROVIDERS_FILE: file, FAIRLEAD_OIDC_SESSION_HOURS: '2' })
  })
  after(async () => {
    await walk?.[Symbol.asyncDispose]()
    await provider?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  it('names the reason on its page, and gives no session', async () => {
    addPerson(provider, 'eve', { email_verified: false })
    addPerson(provider, 'mallory', { email: 'mallory@elsewhere.example' })
    addPerson(provider, 'trent', { groups: ['others'] })
    addPerson(provider, 'victor', { groups: undefined })
    for (const [name, status, reason] of [
      ['eve', 403, 'emailUnverified'],
      ['mallory', 403, 'domain'],
      ['trent', 403, 'noAccess'],
      ['victor', 403, 'noGroups'],
      ['nobody', 400, 'provider'],
    ] as const) {
      const browser = new ProviderBrowser(walk.server, provider)
      const answer = await browser.signIn(name)
      assert.deepEqual([answer.status, readReason(answer)], [status, reason], name)
      assert.ok(!browser.cookies.has('fairlead_session'))
    }
    const members = await walk.ask('GET /v1/members', 200)
    assert.ok(
      !members.some(({ email }: { email: string }) => email.startsWith('trent')),
      'an account without a role is not made',
    )
    addPerson(provider, 'ada')
    const browser = new ProviderBrowser(walk.server, provider)
    const path = await browser.goThere('ada')
    provider.isAway = true
    const away = await browser.call('GET', path)
    assert.deepEqual([away.status, readReason(away)], [503, 'unavailable'])
    provider.isAway = false
  })

  it('reads groups from the claim that is named, and makes no account where no domain is', async () => {
    addPerson(provider, 'ruth', { groups: ['others'], roles: ['mobile'] })
    const browser = new ProviderBrowser(walk.server, provider)
    const answer = await browser.signIn('ruth', { key: 'claims' })
    assert.deepEqual([answer.status, readReason(answer)], [403, 'domain'])
    await join(walk.server, { email: 'ruth@example.com', role: 'viewer' })
    const known = new ProviderBrowser(walk.server, provider)
    await known.signIn('ruth', { key: 'claims' })
    const linked = await known.call('POST', '/v1/session/link', { json: { password } })
    assert.deepEqual([linked.status, linked.json.signedInBy], [201, 'claims'])
    const members = await walk.ask('GET /v1/members', 200)
    const member = members.find(({ email }: { email: string }) => email === 'ruth@example.com')
    assert.deepEqual([member.role, member.roleSource], ['viewer', 'hand'], 'a group gives no less than a hand did')
  })

  it('ends its sessions after the hours that are set, however much they are used', async () => {
    addPerson(provider, 'ada')
    const browser = new ProviderBrowser(walk.server, provider)
    const before = Date.now()
    await browser.signIn('ada')
    const findOwn = async () =>
      (await browser.call('GET', '/v1/sessions')).json.find((one: { isCurrent: boolean }) => one.isCurrent)
    const { id, expirationDate } = await findOwn()
    const hours = (Date.parse(expirationDate) - before) / 3_600_000
    assert.ok(hours >= 2 && hours < 2.2, String(hours))
    const { db } = await openDatabase(walk.server)
    await using _closed = { [Symbol.asyncDispose]: () => db.destroy() }
    const age = (sinceStart: number) =>
      db
        .updateTable('sessions')
        .set({ created_at: Date.now() - sinceStart * 3_600_000, last_used_at: Date.now() - 3_600_000 })
        .where('id', '=', id)
        .execute()
    await age(1.9)
    await browser.readSession()
    const left = (Date.parse((await findOwn()).expirationDate) - Date.now()) / 3_600_000
    assert.ok(left > 0 && left <= 0.1, `${left} hours are left`)
    await age(2.1)
    assert.equal(await browser.readSession(), undefined)
  })

  it('leads to paths of this server only, and works once', async () => {
    for (const [returnTo, place] of [
      ['/builds?branch=main', '/builds?branch=main'],
      ['https://elsewhere.example/', '/'],
      ['//elsewhere.example', '/'],
      ['/\\elsewhere.example', '/'],
      ['builds', '/'],
    ] as const) {
      const browser = new ProviderBrowser(walk.server, provider)
      const path = await browser.goThere('ada', { returnTo })
      const answer = await browser.call('GET', path)
      assert.deepEqual([answer.status, answer.headers.get('location')], [303, place], returnTo)
      const again = await browser.call('GET', path)
      assert.deepEqual([again.status, readReason(again)], [400, 'state'])
    }
  })

  it('takes the password before an account is linked', async () => {
    await join(walk.server, { email: 'grace@example.com', role: 'viewer' })
    addPerson(provider, 'grace')
    const browser = new ProviderBrowser(walk.server, provider)
    const answer = await browser.signIn('grace')
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/sign-in/link'])
    assert.ok(browser.cookies.has('fairlead_link') && !browser.cookies.has('fairlead_session'))
    const link = (secret: string) => browser.call('POST', '/v1/session/link', { json: { password: secret } })
    assert.equal((await link('wrong')).status, 401)
    const linked = await link(password)
    assert.deepEqual([linked.status, linked.json.signedInBy], [201, 'corp'])
    browser.session = linked.json
    const [identity] = (await browser.call('GET', '/v1/account/identities')).json
    assert.equal((await browser.call('DELETE', `/v1/account/identities/${identity.id}`)).status, 204)
    const { json: events } = await walk.answer('GET /v1/auditEvents?limit=50', 200)
    const actions = new Set(events.map(({ action }: { action: string }) => action))
    for (const action of ['identity.link', 'identity.unlink', 'groupRoles.replace', 'session.start']) {
      assert.ok(actions.has(action), action)
    }
  })

  it('takes the second factor too before an account is linked', async () => {
    const noor = await join(walk.server, { email: 'noor@example.com', role: 'viewer' })
    const { json: started } = await noor.call('POST', '/v1/twoFactor', { json: { password } })
    const confirmed = await noor.call('POST', '/v1/twoFactor/confirm', { json: { code: generateCode(started.secret) } })
    const [code] = confirmed.json.recoveryCodes
    addPerson(provider, 'noor')
    const browser = new ProviderBrowser(walk.server, provider)
    await browser.signIn('noor')
    const link = (json: object) => browser.call('POST', '/v1/session/link', { json: { password, ...json } })
    assert.equal((await link({ password: 'wrong', code })).status, 401)
    for (const wrong of [{}, { code: '000000' }]) {
      // As at a sign-in by password, a code that is missing or wrong is a fault of its field.
      const { status, json } = await link(wrong)
      assert.deepEqual([status, json.errors[0].source], [422, '/code'])
      assert.equal(await browser.readSession(), undefined)
    }
    assert.equal((await link({ code })).status, 201)
  })

  it('computes roles from groups anew, of which the highest counts', async () => {
    const roles = [...groupRoles, { provider: 'corp', group: 'all', role: 'viewer' }]
    await walk.ask('PUT /v1/groupRoles', 200, { json: roles })
    const roleOf = async () => {
      const members = await walk.ask('GET /v1/members', 200)
      const member = members.find(({ email }: { email: string }) => email === 'hedy@example.com')
      return member && [member.role, member.roleSource]
    }
    for (const [groups, role] of [
      [
        ['all', 'mobile'],
        ['developer', 'group'],
      ],
      [['all'], ['viewer', 'group']],
      [[], undefined],
    ] as const) {
      addPerson(provider, 'hedy', { groups })
      await new ProviderBrowser(walk.server, provider).signIn('hedy')
      assert.deepEqual(await roleOf(), role)
    }
    await walk.ask('PUT /v1/groupRoles', 200, { json: groupRoles })
  })

  it('keeps other sessions out of a workspace that requires a provider', async () => {
    const { ask, server } = walk
    const grace = await signIn(server, 'grace@example.com')
    const ada = new ProviderBrowser(server, provider)
    await ada.signIn('ada')
    await ask('PATCH /v1/workspace', 422, { json: { requiredProvider: 'none' } })
    await ask('PATCH /v1/workspace', 200, { json: { requiredProvider: 'corp' } })
    const refused = await grace.call('GET', '/v1/applications')
    assert.deepEqual([refused.status, refused.json.detail], [403, 'This workspace requires sign-in through Corp'])
    assert.equal((await ada.call('GET', '/v1/applications')).status, 200)
    await ask('GET /v1/applications', 200)
    await ask('PATCH /v1/workspace', 200, { json: { requiredProvider: null } })
    assert.equal((await grace.call('GET', '/v1/session')).json.signedInBy, 'password')
  })
})

describe('The API of sign-in: passwords for administrators of the server', () => {
  let walk: Walk
  let provider: IdentityProvider
  let root: Browser
  before(async () => {
    provider = await startIdentityProvider()
    walk = await startWith(provider, {
      FAIRLEAD_OIDC_PROVIDERS: JSON.stringify([provider.entry()]),
      FAIRLEAD_PASSWORD_SIGN_IN: 'server-admins',
    })
    const { db } = await openDatabase(walk.server)
    for (const name of ['root', 'ada']) {
      const passwordHash = await createPasswords().hash(password)
      const email = `${name}@example.com`
      const account = await createAccount(db, { email, name, passwordHash, isVerified: true })
      await addMember(db, 1, account.id, 'admin')
      if (name === 'root') await grantServerAdmin(db, email, true)
    }
    await db.destroy()
    root = await signIn(walk.server, 'root@example.com')
  })
  after(async () => {
    await walk?.[Symbol.asyncDispose]()
    await provider?.[Symbol.asyncDispose]()
  })

  it('stops the start without a provider', async () => {
    await assert.rejects(startWalk({ FAIRLEAD_PASSWORD_SIGN_IN: 'server-admins' }), /FAIRLEAD_PASSWORD_SIGN_IN/)
    await assert.rejects(startWalk({ FAIRLEAD_PASSWORD_SIGN_IN: 'off' }), /FAIRLEAD_PASSWORD_SIGN_IN/)
    const entry = { ...provider.entry(), issuer: 'http://directory.example' }
    await assert.rejects(startWalk({ FAIRLEAD_OIDC_PROVIDERS: JSON.stringify([entry]) }), /FAIRLEAD_OIDC_PROVIDERS/)
  })

  it('refuses the right password of anyone else', async () => {
    const { ask } = walk
    assert.equal((await ask('GET /v1/signInOptions', 200, { token: null })).passwords, 'server-admins')
    const right = { email: 'ada@example.com', password }
    const refused = await ask('POST /v1/session', 403, { token: null, json: right })
    assert.equal(refused.detail, 'Passwords are off on this server; sign in through a provider')
    await ask('POST /v1/session', 401, { token: null, json: { ...right, password: 'wrong' } })
  })

  it('disables an account, whose sessions end and whose sign-in is refused', async () => {
    addPerson(provider, 'carol')
    const browser = new ProviderBrowser(walk.server, provider)
    assert.equal((await browser.signIn('carol')).status, 303)
    const path = `/v1/server/accounts/${browser.session?.account.id}`
    assert.equal((await browser.call('PATCH', path, { json: { isDisabled: true } })).status, 403)
    const disabled = await root.call('PATCH', path, { json: { isDisabled: true, revokeTokens: true } })
    assert.deepEqual([disabled.status, disabled.json.isDisabled], [200, true])
    assert.equal((await browser.call('GET', '/v1/session')).status, 401)
    const answer = await browser.signIn('carol')
    assert.deepEqual([answer.status, readReason(answer)], [403, 'disabled'])
    assert.equal((await root.call('PATCH', path, { json: { isDisabled: false } })).status, 200)
    assert.equal((await browser.signIn('carol')).status, 303)
  })
})
