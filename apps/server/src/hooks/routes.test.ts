import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { CreatedHook, Hook, HookDelivery, HookDeliveryWithAttempts } from '@fairlead/contract'
import { join } from '../testing/browser.ts'
import { type HookReceiver, startHookReceiver, verify } from '../testing/hook-receiver.ts'
import { openPostgresClient } from '../testing/postgres-client.ts'
import { createSecondWorkspace } from '../testing/second-workspace.ts'
import { type Answer, startServer, type TestServer } from '../testing/start-server.ts'
import { createApplication, uploadApk } from '../testing/upload.ts'

/** Splits a text at white space. */
const words = (text: string) => text.trim().split(/\s+/)

describe('Hooks', () => {
  let receiver: HookReceiver
  let server: TestServer

  before(async () => {
    receiver = await startHookReceiver()
    server = await startServer({
      FAIRLEAD_HOOKS_ALLOW: receiver.host,
      FAIRLEAD_HOOK_RETRY_SECONDS: '0.2,0.2',
      FAIRLEAD_HOOK_DISABLE_SECONDS: '100',
    })
    await createApplication(server, 'shop')
  })
  after(async () => {
    await server[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
  })

  const create = async (json: object = {}): Promise<CreatedHook> => {
    const body = { name: 'CI', url: receiver.url, events: ['*'], ...json }
    const answer = await server.call('POST', '/v1/hooks', { json: body })
    assert.equal(answer.status, 201, answer.text)
    return CreatedHook.parse(answer.json)
  }
  const remove = (id: number) => server.call('DELETE', `/v1/hooks/${id}`)
  const test = async (id: number): Promise<HookDelivery> => {
    const answer = await server.call('POST', `/v1/hooks/${id}/test`)
    assert.equal(answer.status, 202, answer.text)
    return HookDelivery.parse(answer.json)
  }
  const find = async (id: number): Promise<HookDeliveryWithAttempts> =>
    HookDeliveryWithAttempts.parse((await server.call('GET', `/v1/hookDeliveries/${id}`)).json)
  const waitForState = async (id: number, state: string): Promise<HookDeliveryWithAttempts> => {
    for (let waited = 0; waited < 400; waited++) {
      const delivery = await find(id)
      if (delivery.state === state) return delivery
      await setTimeout(50)
    }
    throw new Error(`the delivery did not become ${state}: ${JSON.stringify(await find(id))}`)
  }
  const fault = (answer: Answer) => `${answer.status} ${answer.json.title} ${answer.json.errors?.[0]?.source}`

  it('are created with a secret that is shown once, changed, listed and deleted by administrators only', async () => {
    const created = await create({ name: 'Release channel', includes: ['texts'] })
    assert.match(created.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    const { secret, ...hook } = created
    assert.deepEqual((await server.call('GET', `/v1/hooks/${hook.id}`)).json, hook)
    const list = await server.call('GET', '/v1/hooks')
    assert.deepEqual(list.json, [hook])
    assert.ok(!list.text.includes(secret))
    const changed = await server.call('PATCH', `/v1/hooks/${hook.id}`, {
      json: { name: 'CI', events: ['build.uploaded'], isEnabled: false },
    })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(
      [changed.json.name, changed.json.events, changed.json.isEnabled, changed.json.disabledReason],
      ['CI', ['build.uploaded'], false, 'hand'],
    )
    assert.ok(changed.json.disabledDate !== null)
    const developer = await join(server, { email: 'dev@example.com', role: 'developer' })
    assert.equal((await developer.call('GET', '/v1/hooks')).status, 403)
    assert.equal((await remove(hook.id)).status, 204)
    assert.equal((await remove(hook.id)).status, 404)
    const gone = await server.call('GET', `/v1/hooks/${hook.id}`)
    assert.equal(gone.json.detail, 'The hook with the given ID does not exist')
    const { json: events } = await server.call('GET', '/v1/auditEvents?action=hook')
    assert.deepEqual(
      events.map((event: { action: string }) => event.action),
      ['hook.delete', 'hook.update', 'hook.create'],
    )
    assert.equal(events[2].details.url, receiver.host)
  })

  it('are refused with 422 for addresses they may not reach, and with 400 for what no hook can be', async () => {
    const post = (json: object) =>
      server.call('POST', '/v1/hooks', { json: { name: 'CI', url: receiver.url, events: ['*'], ...json } })
    for (const url of words(`
      http://example.com/ https://user:pw@example.com/ https://127.0.0.1/ https://0x7f.1/ ftp://x.y/
      https://[::1]/ https://[::ffff:10.0.0.1]/ https://169.254.169.254/ nonsense
    `)) {
      assert.equal(fault(await post({ url })), '422 Unprocessable Content /url', url)
    }
    for (const json of [{ events: ['build.exploded'] }, { format: 'pager' }, { events: [] }, { name: '' }]) {
      assert.equal((await post(json)).status, 400, JSON.stringify(json))
    }
    assert.equal(fault(await post({ applicationIds: [99_999] })), '422 Unprocessable Content /applicationIds')
    const made: number[] = []
    for (let count = 0; count < 50; count++) made.push((await create()).id)
    assert.equal((await post({})).status, 422)
    for (const id of made) await remove(id)
  })

  it('deliver what a receiver can verify with the library of Standard Webhooks', async () => {
    const hook = await create()
    const build = await uploadApk(server, { alias: 'shop', headers: { 'X-Service-Branch': 'main' } })
    const delivery = await receiver.waitFor(({ json }) => json.type === 'build.uploaded')
    verify(hook.secret, delivery)
    assert.match(String(delivery.headers['user-agent']), /^Fairlead\/\d/)
    assert.equal(delivery.headers['content-type'], 'application/json')
    const { data, ...rest } = delivery.json
    const base = server.url.replace('127.0.0.1', 'localhost')
    assert.deepEqual(Object.keys(rest), ['type', 'timestamp', 'workspaceId'])
    assert.deepEqual(data, {
      applicationId: build.applicationId,
      applicationAlias: 'shop',
      links: {
        page: `${base}/builds/${build.id}`,
        api: `${base}/v1/builds/${build.id}`,
      },
      buildId: build.id,
      platform: 'android',
      shortVersion: build.shortVersion,
      version: build.version,
      branch: 'main',
      commit: null,
      size: build.size,
    })
    const { json: deliveries } = await server.call('GET', `/v1/hooks/${hook.id}/deliveries?type=build.uploaded`)
    const { body, attempts, ...listed } = await waitForState(deliveries[0].id, 'succeeded')
    assert.equal(listed.webhookId, delivery.headers['webhook-id'])
    assert.equal(body, delivery.text)
    assert.deepEqual([attempts.length, attempts[0]?.status, attempts[0]?.responseExcerpt], [1, 200, 'thanks'])
    assert.ok(Hook.parse((await server.call('GET', `/v1/hooks/${hook.id}`)).json).lastSuccessDate !== null)
    await remove(hook.id)
  })

  it('tell people, words and install links only where the hook includes them', async () => {
    const bare = await create({ events: ['build.distributed'] })
    const full = await create({ events: ['build.distributed'], includes: ['installLinks', 'texts', 'people'] })
    const build = await uploadApk(server, { alias: 'shop' })
    await server.call('PATCH', `/v2/builds/${build.id}`, { json: { releaseNotes: 'é'.repeat(3000) } })
    const group = await server.call('POST', '/v1/distributionGroups', { json: { name: 'QA' } })
    const emails = ['tester@example.com', 'second@example.com']
    await server.call('POST', `/v1/distributionGroups/${group.json.id}/testers`, { json: { emails } })
    const json = { distributionGroupIds: [group.json.id], notifyTesters: true }
    await server.call('POST', `/v1/builds/${build.id}/distribute`, { json })
    const byHook = async (id: number) => {
      const { json: list } = await server.call('GET', `/v1/hooks/${id}/deliveries`)
      return JSON.parse((await waitForState(list[0].id, 'succeeded')).body)
    }
    const plain = await byHook(bare.id)
    assert.deepEqual(plain.data.distributionGroups, [{ id: group.json.id, name: 'QA' }])
    assert.equal(plain.data.notifiedCount, 2)
    for (const hidden of ['/install/', 'releaseNotes', 'uploadedBy', 'example.com']) {
      assert.ok(!JSON.stringify(plain).includes(hidden), hidden)
    }
    const whole = await byHook(full.id)
    assert.equal(whole.data.links.install, build.installUrl)
    assert.equal(whole.data.releaseNotes, 'é'.repeat(1000))
    assert.equal(whole.data.uploadedBy, 'initial token')
    await remove(bare.id)
    await remove(full.id)
  })

  it('hear only of the events and applications that they name', async () => {
    const { id: otherId } = await createApplication(server, 'other')
    const hook = await create({ events: ['build.deleted', 'build.uploaded'], applicationIds: [otherId] })
    await uploadApk(server, { alias: 'shop', apk: { versionCode: 90 } })
    const build = await uploadApk(server, { alias: 'other', apk: { packageName: 'com.example.other' } })
    await server.call('DELETE', `/v1/builds/${build.id}`)
    const { json: list } = await server.call('GET', `/v1/hooks/${hook.id}/deliveries`)
    assert.deepEqual(
      list.map((one: HookDelivery) => one.type),
      ['build.deleted', 'build.uploaded'],
    )
    const { body } = await find(list[0].id)
    assert.equal(JSON.parse(body).data.reason, 'hand')
    await remove(hook.id)
  })

  it('sign with both secrets after a rotation, the new one first', async () => {
    const hook = await create({ events: ['build.uploaded'] })
    const rotated = await server.call('POST', `/v1/hooks/${hook.id}/rotateSecret`, { json: { keepOldHours: 1 } })
    assert.equal(rotated.status, 200, rotated.text)
    assert.ok(Date.parse(rotated.json.oldSecretUntilDate) > Date.now())
    const { webhookId } = await test(hook.id)
    const delivery = await receiver.waitFor(({ headers }) => headers['webhook-id'] === webhookId)
    verify(hook.secret, delivery)
    verify(rotated.json.secret, delivery)
    const signatures = String(delivery.headers['webhook-signature']).split(' ')
    assert.equal(signatures.length, 2)
    verify(rotated.json.secret, {
      ...delivery,
      headers: { ...delivery.headers, 'webhook-signature': signatures[0] },
    })
    const again = await server.call('POST', `/v1/hooks/${hook.id}/rotateSecret`, { json: { keepOldHours: 0 } })
    assert.equal(again.json.oldSecretUntilDate, null)
    const last = await test(hook.id)
    const next = await receiver.waitFor(({ headers }) => headers['webhook-id'] === last.webhookId)
    verify(again.json.secret, next)
    assert.throws(() => verify(rotated.json.secret, next))
    await remove(hook.id)
  })

  it('are tried again with the same bytes and id until the plan ends, and then by hand', async () => {
    receiver.answerWith((response) => response.writeHead(500, { 'content-type': 'text/plain' }).end('no\0pe'))
    const hook = await create({ events: ['build.uploaded'] })
    const failed = await waitForState((await test(hook.id)).id, 'failed')
    assert.deepEqual([failed.attemptCount, failed.lastStatus, failed.lastError], [3, 500, 'status'])
    assert.deepEqual(
      failed.attempts.map(({ responseExcerpt }) => responseExcerpt),
      ['nope', 'nope', 'nope'],
    )
    const texts = receiver.deliveries.filter(({ headers }) => headers['webhook-id'] === failed.webhookId)
    assert.deepEqual([texts.length, new Set(texts.map(({ text }) => text)).size], [3, 1])
    receiver.answerWith(undefined)
    const again = await server.call('POST', `/v1/hookDeliveries/${failed.id}/redeliver`)
    assert.equal(again.status, 202, again.text)
    const done = await waitForState(again.json.id, 'succeeded')
    assert.deepEqual([done.webhookId, done.body, done.redeliveryOf], [failed.webhookId, failed.body, failed.id])
    await remove(hook.id)
  })

  it('fail at redirects without following them, and wait as long as a busy receiver asks', async () => {
    const hook = await create({ events: ['build.uploaded'] })
    receiver.answerWith((response) => response.writeHead(302, { location: `${receiver.url}elsewhere` }).end())
    const redirected = await waitForState((await test(hook.id)).id, 'failed')
    assert.deepEqual([redirected.lastStatus, redirected.lastError], [302, 'redirect'])
    receiver.answerWith((response) => response.writeHead(503, { 'retry-after': '2' }).end())
    const { id, webhookId } = await test(hook.id)
    const first = await receiver.waitFor(({ headers }) => headers['webhook-id'] === webhookId)
    receiver.answerWith(undefined)
    const second = await receiver.waitFor(({ headers }) => headers['webhook-id'] === webhookId, 2)
    assert.ok(second.receivedAt - first.receivedAt >= 1900, String(second.receivedAt - first.receivedAt))
    assert.equal((await waitForState(id, 'succeeded')).attemptCount, 2)
    await remove(hook.id)
  })

  it('are off after 410, stop what waits, and send what they missed when they are told to', async () => {
    const hook = await create({ events: ['build.uploaded'] })
    receiver.answerWith((response) => response.writeHead(410).end())
    await waitForState((await test(hook.id)).id, 'failed')
    const off = await server.call('GET', `/v1/hooks/${hook.id}`)
    assert.deepEqual([off.json.isEnabled, off.json.disabledReason], [false, 'gone'])
    const missed = await uploadApk(server, { alias: 'shop', apk: { versionCode: 91 } })
    assert.equal((await server.call('GET', `/v1/hooks/${hook.id}/deliveries`)).json.length, 1)
    const since = { json: { since: hook.createdDate } }
    assert.equal((await server.call('POST', `/v1/hooks/${hook.id}/redeliver`, since)).status, 409)
    assert.equal((await server.call('POST', `/v1/hooks/${hook.id}/test`)).status, 409)
    receiver.answerWith(undefined)
    await server.call('PATCH', `/v1/hooks/${hook.id}`, { json: { isEnabled: true } })
    const again = await server.call('POST', `/v1/hooks/${hook.id}/redeliver`, since)
    assert.deepEqual([again.status, again.json], [202, { count: 2 }])
    await receiver.waitFor(({ json }) => json.type === 'build.uploaded' && json.data.buildId === missed.id)
    while ((await server.call('GET', `/v1/hooks/${hook.id}`)).json.waitingCount > 0) {
      await setTimeout(50)
    }
    assert.deepEqual((await server.call('POST', `/v1/hooks/${hook.id}/redeliver`, since)).json, { count: 0 })
    await remove(hook.id)
  })

  it('send nothing to a name that leads inside', async () => {
    const count = receiver.deliveries.length
    const hook = await create({ url: 'https://localhost:1/', events: ['build.uploaded'] })
    const failed = await waitForState((await test(hook.id)).id, 'failed')
    assert.deepEqual([failed.lastStatus, failed.lastError], [null, 'addressRefused'])
    assert.equal(receiver.deliveries.length, count)
    await remove(hook.id)
  })

  it('page their deliveries, by state and type', async () => {
    const hook = await create({ events: ['build.uploaded'] })
    const ids = [await test(hook.id), await test(hook.id), await test(hook.id)].map(({ id }) => id)
    for (const id of ids) await waitForState(id, 'succeeded')
    const path = `/v1/hooks/${hook.id}/deliveries`
    const page = await server.call('GET', `${path}?state=succeeded&type=hook.test&limit=2`)
    assert.deepEqual(
      page.json.map(({ id }: HookDelivery) => id),
      ids.slice(1).toReversed(),
    )
    assert.equal(page.headers.get('x-total-count'), '3')
    assert.match(page.headers.get('link') ?? '', /rel="next"/)
    assert.deepEqual((await server.call('GET', `${path}?state=failed`)).json, [])
    assert.equal((await server.call('GET', `${path}?state=odd`)).status, 400)
    const stranger = await createSecondWorkspace(server)
    assert.equal((await server.call('GET', path, { token: stranger })).status, 404)
    await remove(hook.id)
  })

  it('can be deleted while an attempt is recorded, without a deadlock', { timeout: 120_000 }, async () => {
    // The embedded database runs one transaction at a time.
    if (server.databaseUrl === null) return
    const hook = await create()
    const { promise: asked, resolve: hold } = Promise.withResolvers<ServerResponse>()
    receiver.answerWith(hold)
    await test(hook.id)
    const response = await asked
    await using deleting = await openPostgresClient(server.databaseUrl)
    await using watching = await openPostgresClient(server.databaseUrl)
    await deleting.query('begin')
    // PostgreSQL fails the transaction that notices a deadlock first, so that one must be ours.
    await deleting.query(`set local deadlock_timeout = '10ms'`)
    await deleting.query('select id from hooks where id = $1 for update', [hook.id])
    response.end()
    receiver.answerWith(undefined)
    const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    while ((await watching.query(waits)).length === 0) await setTimeout(10)
    await deleting.query('delete from hooks where id = $1', [hook.id])
    await deleting.query('commit')
    assert.equal((await server.call('GET', `/v1/hooks/${hook.id}`)).status, 404)
  })
})
