import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openDatabase } from '../db/open.ts'
import { Browser, invite, join, password, readInvitationMail, signIn } from '../testing/browser.ts'
import { startMailServer } from '../testing/mail-server.ts'
import { createSecondWorkspace } from '../testing/second-workspace.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'

describe('Invitations', () => {
  let server: TestServer
  let secondToken: string

  before(async () => {
    server = await startServer()
    secondToken = await createSecondWorkspace(server)
  })
  after(() => server[Symbol.asyncDispose]())

  const preview = (token: string) => server.call('GET', `/v1/invitations/preview?token=${token}`, { token: null })
  const accept = (json: unknown) => new Browser(server).call('POST', '/v1/invitations/accept', { json })

  it('create an account and a member, once', async () => {
    const token = await invite(server, { email: 'ada@example.com', role: 'developer' })
    assert.deepEqual((await preview(token)).json, {
      email: 'ada@example.com',
      role: 'developer',
      workspaceName: 'default',
      hasAccount: null,
    })
    const weak = await accept({ token, name: 'Ada', password: 'short' })
    assert.equal(weak.status, 400)
    assert.deepEqual(
      weak.json.errors.map(({ source }: { source: string }) => source),
      ['/password'],
    )
    const answers = await Promise.all([1, 2, 3].map(() => accept({ token, name: 'Ada', password })))
    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
    assert.ok(answers.every(({ status }) => status < 500))
    assert.equal((await preview(token)).status, 404)
    const members: { email: string; role: string }[] = (await server.call('GET', '/v1/members')).json
    assert.deepEqual(
      members.map(({ email, role }) => [email, role]),
      [['ada@example.com', 'developer']],
    )
  })

  it('admit a person who has an account with its password alone', async () => {
    await join(server, { email: 'bob@example.com', role: 'viewer' })
    const token = await invite(server, { email: 'BOB@example.com', role: 'admin', token: secondToken })
    assert.equal((await preview(token)).json.hasAccount, null, 'a link that was handed over tells nobody')
    assert.equal((await accept({ token, name: 'Mallory', password: 'a password of mallory' })).status, 401)
    const answer = await accept({ token, password })
    assert.equal(answer.status, 201)
    assert.deepEqual(
      answer.json.workspaces.map(({ name, role }: { name: string; role: string }) => [name, role]),
      [
        ['default', 'viewer'],
        ['second', 'admin'],
      ],
    )
    assert.equal(answer.json.account.name, 'bob')
  })

  it('refuse in the same way whether the address has an account, unless the link is used up', async () => {
    await join(server, { email: 'known@example.com', role: 'viewer' })
    const links = [
      await invite(server, { email: 'known@example.com', role: 'viewer', token: secondToken }),
      await invite(server, { email: 'unknown@example.com', role: 'viewer', token: secondToken }),
    ]
    const guesses = [
      { password: 'a password of mallory' },
      { password: 'short' },
      { name: 'Mallory', password: 'short' },
      { name: '', password: 'a password of mallory' },
      { password: '' },
    ]
    for (const guess of guesses) {
      const [known, unknown] = await Promise.all(links.map((token) => accept({ token, ...guess })))
      const toComparable = (answer: typeof known) => ({ ...answer?.json, id: null, status: answer?.status })
      assert.deepEqual(toComparable(known), toComparable(unknown), JSON.stringify(guess))
      assert.ok([400, 401].includes(known?.status ?? 0), JSON.stringify(guess))
    }
  })

  it('are listed without their links and can be revoked', async () => {
    const token = await invite(server, { email: 'carol@example.com', role: 'viewer' })
    const list = await server.call('GET', '/v1/invitations')
    const [invitation] = list.json
    assert.equal(invitation.email, 'carol@example.com')
    assert.equal(invitation.inviteUrl, null)
    assert.ok(!list.text.includes(token))
    const path = `/v1/invitations/${invitation.id}`
    assert.equal((await server.call('DELETE', path, { token: secondToken })).status, 404)
    assert.equal((await server.call('DELETE', path)).status, 204)
    assert.equal((await server.call('DELETE', path)).status, 404)
    assert.equal((await accept({ token, name: 'Carol', password })).status, 404)
  })

  it('replace an earlier invitation, whose link becomes invalid', async () => {
    const first = await invite(server, { email: 'dave@example.com', role: 'viewer' })
    const second = await invite(server, { email: 'Dave@example.com', role: 'developer' })
    assert.equal((await preview(first)).status, 404)
    assert.equal((await preview(second)).json.role, 'developer')
  })

  it('are refused for existing members', async () => {
    await join(server, { email: 'erin@example.com', role: 'viewer' })
    const json = { email: 'ERIN@example.com', role: 'admin' }
    assert.equal((await server.call('POST', '/v1/invitations', { json })).status, 409)
    assert.equal((await signIn(server, 'erin@example.com')).session?.workspaces[0]?.role, 'viewer')
  })
})

describe('Invitations by mail', () => {
  it('have their link in the mail only, so that nobody creates an account for another’s address', async () => {
    await using mailServer = await startMailServer()
    await using server = await startServer({ FAIRLEAD_SMTP_URL: mailServer.url })
    const json = { email: 'victim@example.com', role: 'viewer' }
    const { json: invitation } = await server.call('POST', '/v1/invitations', { json })
    assert.equal(invitation.inviteUrl, null)
    const token = await readInvitationMail(mailServer, 'victim@example.com')
    assert.match(token, /^[\w-]{43}$/)
    const outbox = await server.call('GET', '/v1/mails')
    assert.ok(!outbox.text.includes(token), 'administrators cannot read the link in the outbox')
    const preview = await server.call('GET', `/v1/invitations/preview?token=${token}`, { token: null })
    assert.equal(preview.json.hasAccount, false)
    const victim = new Browser(server)
    await victim.start('/v1/invitations/accept', { token, name: 'Victim', password })
    const members = (await server.call('GET', '/v1/members')).json
    assert.equal(members[0].isVerified, true)
  })

  it('give an account that was created without a mail to the owner of the address', async () => {
    await using mailServer = await startMailServer()
    await using server = await startServer({ FAIRLEAD_SMTP_URL: mailServer.url })
    const thief = await join(server, { email: 'owner@example.com', role: 'viewer', mailServer })
    const { db } = await openDatabase(server)
    await db.updateTable('accounts').set({ verified_at: null }).execute()
    await db.destroy()
    assert.equal((await server.call('GET', '/v1/members')).json[0].isVerified, false)
    assert.equal((await thief.call('POST', '/v1/workspaces', { json: { name: 'Own' } })).status, 403)

    const second = await createSecondWorkspace(server)
    await invite(server, { email: 'owner@example.com', role: 'admin', token: second })
    const token = await readInvitationMail(mailServer, 'owner@example.com')
    const preview = await server.call('GET', `/v1/invitations/preview?token=${token}`, { token: null })
    assert.equal(preview.json.hasAccount, false, 'the owner chooses a password')
    const owner = new Browser(server)
    const chosen = 'a password of the owner'
    await owner.start('/v1/invitations/accept', { token, name: 'Owner', password: chosen })
    assert.equal((await thief.call('GET', '/v1/session')).status, 401)
    await signIn(server, 'owner@example.com', chosen)
    const old = await server.call('POST', '/v1/session', {
      token: null,
      json: { email: 'owner@example.com', password },
    })
    assert.equal(old.status, 401)
  })
})
