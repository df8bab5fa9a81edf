import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AuditEvent } from '@fairlead/contract'
import fastify from 'fastify'
import type { App } from '../http/app.ts'
import { openDatabase } from '../db/open.ts'
import { sweepExpired } from '../chores/sweep.ts'
import { type Browser, join, password, signIn } from '../testing/browser.ts'
import { createSecondWorkspace } from '../testing/second-workspace.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { createApplication, uploadApk } from '../testing/upload.ts'
import { requireActions } from './record.ts'
import { readJson } from '../testing/read-json.ts'

describe('The audit log', () => {
  let server: TestServer
  let ada: Browser

  before(async () => {
    server = await startServer()
    ada = await join(server, { email: 'ada@example.com', role: 'admin' })
  })
  after(() => server[Symbol.asyncDispose]())

  const list = async (query = ''): Promise<AuditEvent[]> => (await server.call('GET', `/v1/auditEvents${query}`)).json

  it('names who did what, from where, newest first', async () => {
    await createApplication(server, 'shop')
    const build = await uploadApk(server, { alias: 'shop' })
    const group = await ada.call('POST', '/v1/distributionGroups', { json: { name: 'QA' } })
    await ada.call('POST', `/v1/builds/${build.id}/distribute`, { json: { distributionGroupIds: [group.json.id] } })
    const token = await ada.call('POST', '/v1/apiTokens', { json: { name: 'ci', role: 'developer' } })
    await ada.call('PATCH', '/v1/workspace', { json: { linkLifetimeDays: 30 } })
    await server.call('DELETE', `/v1/builds/${build.id}`)
    const events = await list()
    for (const event of events) AuditEvent.parse(event)
    assert.deepEqual(
      events.slice(0, 7).map(({ action, actor }) => `${action} ${actor.kind} ${actor.name}`),
      [
        'build.delete token initial token',
        'workspace.update account ada',
        'apiToken.create account ada',
        'build.distribute account ada',
        'distributionGroup.create account ada',
        'build.upload token initial token',
        'application.create token initial token',
      ],
    )
    const [removed, changed, created] = events
    assert.equal(removed?.target, `/v1/builds/${build.id}`)
    assert.match(removed?.address ?? '', /127\.0\.0\.1$/)
    assert.equal(changed?.details.linkLifetimeDays, 30)
    assert.equal(created?.details.name, 'ci')
    assert.ok(!JSON.stringify(events).includes(token.json.token), 'no secret is recorded')
  })

  it('records sign-ins, refused sign-ins and new members', async () => {
    await signIn(server, 'ada@example.com')
    await server.call('POST', '/v1/session', { token: null, json: { email: 'ada@example.com', password: 'wrong' } })
    // A refusal is recorded after its answer, so that the response time does not tell whether the account exists.
    while ((await list('?action=session.refuse')).length === 0) await new Promise(setImmediate)
    const [refused, started] = await list('?action=session')
    assert.equal(refused?.action, 'session.refuse')
    assert.equal(refused.actor.name, 'ada@example.com')
    assert.equal(started?.action, 'session.start')
    assert.equal(started.actor.name, 'ada')
    assert.equal((await list('?action=member.join')).length, 1)
    assert.ok(!JSON.stringify(await list()).includes(password))
  })

  it('does not record requests that failed, nor reads', async () => {
    const before = await list()
    await server.call('DELETE', '/v1/builds/99999')
    await server.call('POST', '/v1/applications', { json: {} })
    await server.call('GET', '/v1/applications')
    assert.equal((await list()).length, before.length)
  })

  it('is paged, and exported as JSON lines', async () => {
    const all = await list()
    const page = await server.call('GET', '/v1/auditEvents?limit=2')
    assert.equal(page.json.length, 2)
    assert.equal(page.headers.get('x-total-count'), String(all.length))
    assert.match(page.headers.get('link') ?? '', /rel="next"/)
    const answer = await server.call('GET', '/v1/auditEvents/export')
    assert.match(answer.headers.get('content-type') ?? '', /^application\/x-ndjson/)
    const lines = answer.text.trimEnd().split('\n')
    assert.deepEqual(
      lines.map((line) => readJson<AuditEvent>(line).id),
      all.map(({ id }) => id),
    )
    const viewer = await join(server, { email: 'vera@example.com', role: 'viewer' })
    for (const path of ['/v1/auditEvents', '/v1/auditEvents/export']) {
      assert.equal((await viewer.call('GET', path)).status, 403)
    }
  })

  it('shows nothing of another workspace', async () => {
    const stranger = await createSecondWorkspace(server)
    const listStranger = () => server.call('GET', '/v1/auditEvents', { token: stranger })
    assert.deepEqual((await listStranger()).json, [])
    assert.equal((await server.call('GET', '/v1/auditEvents/export', { token: stranger })).text, '')
    const created = await ada.call('POST', '/v1/workspaces', { json: { name: 'Secret plan' } })
    assert.equal(created.status, 201)
    assert.ok(!JSON.stringify(await list()).includes('Secret plan'), 'another workspace of the same account')
    ada.workspaceId = created.json.id
    const [event] = (await ada.call('GET', '/v1/auditEvents')).json
    assert.equal(event.action, 'workspace.create')
    ada.workspaceId = undefined
    await join(server, { email: 'ada2@example.com', role: 'viewer', token: stranger })
    assert.equal((await list('?action=member.join')).length, 2)
    assert.equal((await listStranger()).json[0].action, 'member.join')
  })

  it('is kept for a year', async () => {
    const { db } = await openDatabase(server)
    const [newest, oldest] = await db.selectFrom('audit_events').select('id').orderBy('id', 'desc').execute()
    const day = 24 * 60 * 60 * 1000
    const age = (id: number | undefined, days: number) =>
      db
        .updateTable('audit_events')
        .set({ created_at: Date.now() - days * day })
        .where('id', '=', id ?? 0)
        .execute()
    await age(newest?.id, 364)
    await age(oldest?.id, 366)
    await sweepExpired(db, Date.now())
    const rows = await db.selectFrom('audit_events').select('id').execute()
    const left = new Set(rows.map(({ id }) => id))
    await db.destroy()
    assert.ok(left.has(newest?.id ?? 0))
    assert.ok(!left.has(oldest?.id ?? 0))
  })

  it('refuses a writing route that does not name its action', async () => {
    const app: App = fastify()
    requireActions(app)
    app.get('/v1/read', () => '')
    app.post('/v1/named', { config: { action: 'thing.create' } }, () => '')
    app.post('/v1/unrecorded', { config: { action: null } }, () => '')
    assert.throws(() => app.post('/v1/nameless', () => ''), /POST \/v1\/nameless: its config lacks `action`/)
    await app.close()
  })
})
