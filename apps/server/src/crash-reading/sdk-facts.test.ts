/** Tests the facts that SDKs send with a crash beside its stack: environment, tags, contexts, threads, breadcrumbs. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createCrashApplication, type CrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'

interface EventOptions {
  environment?: string | undefined
  method?: string
  tags?: unknown
  user?: string
  [key: string]: unknown
}

let count = 0

function toEvent({ environment, method = 'pay', tags, user, ...rest }: EventOptions): string {
  const frames = [
    { module: 'android.os.Handler', function: 'dispatch', lineno: 1 },
    { module: 'org.shop.Wallet', function: method, lineno: 7, in_app: true },
    { module: 'okhttp3.RealCall', function: 'execute', lineno: 9 },
  ]
  const event = {
    event_id: (++count).toString(16).padStart(32, '0'),
    platform: 'java',
    level: 'fatal',
    release: 'org.shop@1.0+1',
    environment,
    tags,
    user: user === undefined ? undefined : { id: user },
    exception: {
      values: [{ type: 'Gone', module: 'org.shop', value: `order ${method} is gone`, stacktrace: { frames } }],
    },
    ...rest,
  }
  return JSON.stringify(event)
}

const dayMs = 24 * 60 * 60 * 1000

describe('what SDKs say of a crash', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const send = async (app: CrashApplication, options: EventOptions) => {
    const answer = await deliver(server, app, 'sentry-store', toEvent(options))
    assert.equal(answer.status, 200, answer.text)
  }
  const get = async (path: string) => {
    const answer = await server.call('GET', path)
    assert.equal(answer.status, 200, answer.text)
    return answer.json
  }
  const groupsOf = ({ id }: CrashApplication, query = '') => get(`/v1/applications/${id}/crashGroups${query}`)

  it('is counted by environment, which filters groups and their counts', async () => {
    const app = await createCrashApplication(server, 'environments')
    await send(app, { user: 'a' })
    await send(app, { environment: 'staging', user: 'b' })
    await send(app, { environment: 'staging', user: 'c' })
    await send(app, { environment: 'staging', method: 'load', user: 'c' })
    await waitUntilRead(server, app.id)
    const all = await groupsOf(app)
    assert.deepEqual(all.map((group: { environments: string[] }) => group.environments).toSorted(), [
      ['production', 'staging'],
      ['staging'],
    ])
    const [production] = await groupsOf(app, '?environment=production')
    assert.deepEqual([production.crashCount, production.installCount, production.trend.at(-1)], [1, 1, 1])
    const staging = await groupsOf(app, '?environment=staging&sort=crashes&limit=1')
    assert.deepEqual([staging.length, staging[0].crashCount, staging[0].installCount], [1, 2, 2])
    assert.equal((await groupsOf(app, '?environment=other')).length, 0)
    const { environments, releases } = await get(`/v1/crashGroups/${staging[0].id}/statistics`)
    assert.deepEqual(environments.length, 2)
    assert.deepEqual([releases.length, releases[0].count], [1, 3])
  })

  it('has tags and contexts, masked, and data of the app only if it keeps them', async () => {
    const app = await createCrashApplication(server, 'tags')
    const tags = { tenant: 'acme', mail: 'ada@example.org', [`k${'x'.repeat(40)}`]: 'too long' }
    const contexts = {
      device: { model: 'Pixel 9', name: "Ada's phone", id: '17', battery_level: 50 },
      os: { name: 'Android', version: '16' },
      app: { app_version: '1.0' },
      state: { cart: 3 },
      user: { secret: 1 },
    }
    const event = { tags, contexts, extra: { password: 'hunter2', step: 4 }, server_name: 'adas-laptop' }
    await send(app, event)
    await send(app, { tags: [['tenant', 'globex']], method: 'load' })
    await waitUntilRead(server, app.id)
    const [found, ...others] = await groupsOf(app, '?tag=tenant:acme')
    assert.equal(others.length, 0)
    const [summary] = await get(`/v1/crashGroups/${found.id}/crashes?tag=tenant:acme`)
    assert.deepEqual(summary.tags, { tenant: 'acme', mail: '<email>' })
    const crash = await get(`/v1/crashes/${summary.id}`)
    assert.deepEqual(crash.contexts, {
      device: { model: 'Pixel 9', battery_level: '50' },
      os: { name: 'Android', version: '16' },
      app: { app_version: '1.0' },
      runtime: {},
    })
    const { tags: counted } = await get(`/v1/crashGroups/${found.id}/statistics`)
    assert.deepEqual(
      counted.find(({ key }: { key: string }) => key === 'tenant'),
      {
        key: 'tenant',
        values: [{ value: 'acme', count: 1 }],
      },
    )
    await server.call('PATCH', `/v1/applications/${app.id}`, { json: { keepsCustomData: true } })
    await send(app, { ...event, method: 'custom' })
    await waitUntilRead(server, app.id)
    const [custom] = await groupsOf(app, '?q=custom')
    const [kept] = await get(`/v1/crashGroups/${custom.id}/crashes`)
    const { contexts: all } = await get(`/v1/crashes/${kept.id}`)
    assert.deepEqual([all.extra, all.state], [{ password: '<secret>', step: '4' }, { cart: '3' }])
    assert.equal(all.user, undefined)
  })

  it('has breadcrumbs of every type, also those without a message, and threads', async () => {
    const app = await createCrashApplication(server, 'breadcrumbs')
    const breadcrumbs = [
      { type: 'navigation', category: 'ui.lifecycle', level: 'info', data: { screen: 'Cart', state: 'created' } },
      { type: 'navigation', category: 'navigation', data: { from: '/a?x=1', to: { name: '/b' } } },
      { type: 'user', category: 'ui.click', data: { 'view.id': 'pay', private: 'no' } },
      { type: 'http', category: 'http', data: { method: 'GET', url: 'https://u:p@h.example/x?t=1', status_code: 500 } },
      { type: 'system', category: 'device.event', data: { action: 'BATTERY_CHANGED', level: 12.5, charging: true } },
      { message: 'card 4111 1111 1111 1111' },
    ]
    const threads = {
      values: [
        { id: 1, name: 'main', state: 'RUNNABLE', crashed: true },
        {
          id: 2,
          name: 'idle',
          state: 'WAITING',
          stacktrace: { frames: [{ module: 'org.shop.Idle', function: 'run' }] },
        },
      ],
    }
    await send(app, { breadcrumbs, threads })
    await waitUntilRead(server, app.id)
    const [group] = await groupsOf(app)
    const [{ id }] = await get(`/v1/crashGroups/${group.id}/crashes`)
    const crash = await get(`/v1/crashes/${id}`)
    assert.deepEqual(
      crash.breadcrumbs.map(({ type, message, data }: Record<string, unknown>) => [type, message, data]),
      [
        ['navigation', null, { screen: 'Cart', state: 'created' }],
        ['navigation', null, { from: '/a', to: '/b' }],
        ['user', null, { 'view.id': 'pay' }],
        ['http', null, { method: 'GET', url: 'https://h.example/x', status_code: '500' }],
        ['system', null, { action: 'BATTERY_CHANGED', level: '12.5', charging: 'true' }],
        ['default', 'card <card>', {}],
      ],
    )
    const listed = await get(`/v1/crashes/${id}/threads`)
    assert.deepEqual(
      listed.map(({ id: threadId, name, state, isCrashed, frameCount }: Record<string, unknown>) => {
        return [threadId, name, state, isCrashed, frameCount]
      }),
      [
        ['1', 'main', 'RUNNABLE', true, 3],
        ['2', 'idle', 'WAITING', false, 1],
      ],
    )
    assert.equal(listed[1].frames[0].function, 'org.shop.Idle.run')
    assert.deepEqual(
      [crash.platform, crash.environment, group.culprit],
      ['android', 'production', 'org.shop.Wallet.pay'],
    )
  })

  it('are in lists that refuse a filter which they do not know', async () => {
    const app = await createCrashApplication(server, 'strict')
    await send(app, {})
    await waitUntilRead(server, app.id)
    const [group] = await groupsOf(app)
    const ofApplication = ['crashGroups', 'stability', 'missingSymbols', 'crashKeys', 'releases', 'discardedGroups']
    const ofGroup = ['crashes', 'comments', 'statistics']
    for (const path of [
      ...ofApplication.map((list) => `/v1/applications/${app.id}/${list}`),
      ...ofGroup.map((list) => `/v1/crashGroups/${group.id}/${list}`),
    ]) {
      assert.equal((await server.call('GET', path)).status, 200, path)
      const { status, text } = await server.call('GET', `${path}?colour=blue`)
      assert.deepEqual([status, text.includes('colour')], [400, true], path)
    }
  })

  it('can be changed in bulk, commented on, exported, deleted and discarded', async () => {
    const app = await createCrashApplication(server, 'lists')
    for (const method of ['one', 'two', 'three']) await send(app, { method, user: method })
    await waitUntilRead(server, app.id)
    const path = `/v1/applications/${app.id}/crashGroups`
    const changed = await server.call('PATCH', path, { json: { filter: { q: 'wallet.t' }, status: 'ignored' } })
    assert.deepEqual(changed.json, { changedCount: 2 })
    assert.equal((await groupsOf(app, '?status=ignored')).length, 2)
    assert.equal((await groupsOf(app, '?installId=one')).length, 1)
    assert.equal((await groupsOf(app, '?q=order+one+is')).length, 1)
    const [group] = await groupsOf(app, '?q=wallet.one')
    const comment = await server.call('POST', `/v1/crashGroups/${group.id}/comments`, { json: { text: 'Seen.' } })
    assert.equal(comment.status, 201, comment.text)
    const tracked = await server.call('PATCH', `/v1/crashGroups/${group.id}`, {
      json: { trackerUrl: 'https://t.example/1', ignoredUntilCount: { crashes: 2 } },
    })
    assert.deepEqual(
      [tracked.json.commentCount, tracked.json.trackerUrl, tracked.json.status, tracked.json.ignoredUntilCount],
      [1, 'https://t.example/1', 'ignored', { crashes: 3, installs: null }],
    )
    await send(app, { method: 'one' })
    await send(app, { method: 'one' })
    await waitUntilRead(server, app.id)
    assert.equal((await get(`/v1/crashGroups/${group.id}`)).status, 'open')
    const csv = await server.call('GET', path, { headers: { Accept: 'text/csv' } })
    assert.equal(csv.text.trimEnd().split('\r\n').length, 4)
    const lines = await server.call('GET', `/v1/crashGroups/${group.id}/crashes`, {
      headers: { Accept: 'application/x-ndjson' },
    })
    assert.equal(
      lines.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)).length,
      3,
    )
    assert.equal((await server.call('DELETE', `/v1/crashGroups/${group.id}?discard=true`)).status, 204)
    await send(app, { method: 'one' })
    const { json: intake } = await waitUntilRead(server, app.id)
    assert.deepEqual([(await groupsOf(app)).length, intake.droppedCounts.discarded], [2, 1])
    const [discarded] = await get(`/v1/applications/${app.id}/discardedGroups`)
    const restore = `/v1/applications/${app.id}/discardedGroups/${discarded.key}`
    assert.equal((await server.call('DELETE', restore)).status, 204)
    assert.equal((await server.call('DELETE', restore)).status, 404)
    await send(app, { method: 'one' })
    await waitUntilRead(server, app.id)
    assert.equal((await groupsOf(app)).length, 3)
  })

  it('says that the version which was to resolve a group crashes itself, and does not open it', async () => {
    const app = await createCrashApplication(server, 'still')
    await send(app, {})
    await waitUntilRead(server, app.id)
    const [group] = await groupsOf(app)
    await server.call('PATCH', `/v1/crashGroups/${group.id}`, { json: { resolvedInVersion: '1.10' } })
    await send(app, { release: 'org.shop@1.10+10' })
    await waitUntilRead(server, app.id)
    const after = await get(`/v1/crashGroups/${group.id}`)
    assert.deepEqual([after.status, after.isStillCrashing], ['resolved', true])
    await send(app, { release: 'org.shop@1.11+11' })
    await waitUntilRead(server, app.id)
    assert.deepEqual((await get(`/v1/crashGroups/${group.id}`)).status, 'open')
  })

  it('tells crash-free installs and adoption, for one environment at a time', async () => {
    const app = await createCrashApplication(server, 'stability')
    const session = (did: string, release: string, environment: string, status = 'exited') => {
      const sid = `${did}${release}${environment}`.padEnd(32, '0')
      const started = new Date().toISOString()
      const attrs = { release, environment }
      return `{"type":"session"}\n${JSON.stringify({ sid, did, init: true, started, status, attrs })}\n`
    }
    const items = [
      session('a', 'org.shop@1+1', 'production'),
      session('b', 'org.shop@1+1', 'production', 'crashed'),
      session('c', 'org.shop@2+2', 'production'),
      session('d', 'org.shop@2+2', 'debug', 'crashed'),
    ]
    await deliver(server, app, 'sentry-envelope', `{}\n${items.join('')}`)
    await waitUntilRead(server, app.id)
    const rows = await get(`/v1/applications/${app.id}/stability?version=1`)
    assert.equal(rows.length, 1)
    const [{ environment, startedInstallCount, crashedInstallCount, crashFreeInstallRate, adoptionRate }] = rows
    assert.deepEqual(
      [environment, startedInstallCount, crashedInstallCount, crashFreeInstallRate],
      ['production', 2, 1, 0.5],
    )
    assert.ok(Math.abs(adoptionRate - 2 / 3) < 1e-9)
    assert.equal((await get(`/v1/applications/${app.id}/stability?environment=all`)).length, 3)
  })

  it('tells crash-free installs and adoption of each release on each day', async () => {
    const app = await createCrashApplication(server, 'adoption')
    const noon = Math.floor(Date.now() / dayMs - 1) * dayMs + dayMs / 2
    let count = 0
    const session = (daysAgo: number, did: string, release: string, status = 'exited') => {
      const sid = String(++count).padStart(32, '0')
      const started = new Date(noon - daysAgo * dayMs).toISOString()
      return `{"type":"session"}\n${JSON.stringify({ sid, did, init: true, started, status, attrs: { release } })}\n`
    }
    const [old, fresh] = ['org.shop@1+1', 'org.shop@2+2']
    const items = [
      // On the first day all have the old release; one install crashes twice, and starts again.
      ...['a', 'b', 'c', 'd'].map((did) => session(3, did, old)),
      session(3, 'b', old, 'crashed'),
      session(3, 'b', old, 'crashed'),
      // Nobody starts the app on the second day. On the third, one has the update, and starts both.
      session(1, 'a', old),
      session(1, 'a', fresh),
      session(1, 'b', old, 'crashed'),
      // Browsers say so of an error that nobody catches, after which the page goes on.
      session(1, 'c', old, 'unhandled'),
      // On the fourth day all that start it have the update.
      ...['a', 'b', 'c'].map((did) => session(0, did, fresh)),
    ]
    await deliver(server, app, 'sentry-envelope', `{}\n${items.join('')}`)
    await waitUntilRead(server, app.id)
    const rows = await get(`/v1/applications/${app.id}/stability`)
    const seen = rows.map((row: Record<string, unknown>) => {
      const { date, version, startedInstallCount, crashedInstallCount, crashFreeInstallRate, adoptionRate } = row
      const daysAgo = (noon - dayMs / 2 - Date.parse(String(date))) / dayMs
      const rates = [crashFreeInstallRate, adoptionRate].map((rate) => Math.round(Number(rate) * 1000))
      return [daysAgo, version, startedInstallCount, crashedInstallCount, ...rates].join(' ')
    })
    assert.deepEqual(
      new Set(seen),
      new Set(['3 1 4 1 750 1000', '1 1 3 2 333 1000', '1 2 1 0 1000 333', '0 2 3 0 1000 1000']),
    )
    assert.equal((await get(`/v1/applications/${app.id}/stability?version=2`)).length, 2)
  })
})
