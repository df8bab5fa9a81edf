import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { writeApk } from '@fairlead/binary/fixture'
import {
  type CrashApplication,
  createCrashApplication,
  deliver,
  listAllCrashes,
  waitUntilRead,
} from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'

let eventCount = 0

/** A crash of a Java app as a Sentry SDK sends it. */
function createEvent({ method = 'pay', build = 1, user = 'one', type = 'IllegalStateException', lines = [1] } = {}) {
  return {
    event_id: (++eventCount).toString(16).padStart(32, '0'),
    timestamp: new Date().toISOString(),
    platform: 'java',
    level: 'fatal',
    release: `org.tarn.shop@1.${build}+${build}`,
    user: { id: user },
    contexts: { os: { name: 'Android', version: '14' }, device: { model: 'Pixel 8' } },
    exception: {
      values: [
        {
          type,
          module: 'java.lang',
          value: 'order 17 is closed',
          stacktrace: {
            frames: lines.map((lineno) => ({
              module: 'org.tarn.shop.Cart',
              function: method,
              lineno,
              filename: 'Cart.kt',
            })),
          },
        },
      ],
    },
  }
}

describe('crashes', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  const send = async (application: CrashApplication, ...events: object[]) => {
    for (const event of events) {
      const answer = await deliver(server, application, 'sentry-store', JSON.stringify(event))
      assert.equal(answer.status, 200, answer.text)
    }
    await waitUntilRead(server, application.id)
  }
  const listGroups = async ({ id }: CrashApplication, query = '') =>
    (await server.call('GET', `/v1/applications/${id}/crashGroups${query}`)).json

  it('are counted by release, day, system, device and install', async () => {
    const app = await createCrashApplication(server, 'counted')
    const events = [1, 1, 2, 3].map((build, place) => createEvent({ build, user: `user ${place % 3}` }))
    await send(app, ...events)
    const [group, ...others] = await listGroups(app)
    assert.equal(others.length, 0)
    const { crashCount, installCount, isInstallCountApproximate, firstRelease, lastRelease, key, culprit } = group
    assert.deepEqual(
      { crashCount, installCount, isInstallCountApproximate },
      { crashCount: 4, installCount: 3, isInstallCountApproximate: false },
    )
    assert.deepEqual(firstRelease, { package: 'org.tarn.shop', shortVersion: '1.1', version: '1' })
    assert.deepEqual(lastRelease, { package: 'org.tarn.shop', shortVersion: '1.3', version: '3' })
    assert.deepEqual(key, ['crash', 'java.lang.IllegalStateException', 'org.tarn.shop.Cart.pay'])
    assert.equal(culprit, 'org.tarn.shop.Cart.pay')
    const { json: statistics } = await server.call('GET', `/v1/crashGroups/${group.id}/statistics`)
    assert.deepEqual(
      statistics.releases.map((one: { version: string; count: number }) => [one.version, one.count]),
      [
        ['3', 1],
        ['2', 1],
        ['1', 2],
      ],
    )
    assert.deepEqual(statistics.osVersions, [{ value: 'Android 14', count: 4 }])
    assert.deepEqual(statistics.deviceModels, [{ value: 'Pixel 8', count: 4 }])
    assert.equal((await listGroups(app, '?version=2')).length, 1)
    assert.equal((await listGroups(app, '?version=9')).length, 0)
    assert.equal((await listGroups(app, '?q=CART.pay')).length, 1)
    assert.equal((await listGroups(app, '?q=%25')).length, 0)
    const report = await server.call('GET', `/v1/crashes/${(await listAllCrashes(server, app.id))[0].id}/report`)
    assert.match(
      report.text,
      /java\.lang\.IllegalStateException: order 17 is closed\n {4}at org\.tarn\.shop\.Cart\.pay/,
    )
  })

  it('are listed for the build that has their release', async () => {
    const app = await createCrashApplication(server, 'built')
    const upload = async (versionCode: number) => {
      const body = writeApk({ packageName: 'org.tarn.shop', versionCode, versionName: `1.${versionCode}` })
      const headers = { 'X-Service-Application-Alias': 'built' }
      const { json } = await server.call('POST', '/v2/builds', { headers, body: new Uint8Array(body) })
      return json.id
    }
    const [first, second] = [await upload(1), await upload(2)]
    await send(app, createEvent({ build: 1 }), createEvent({ build: 2, method: 'refund' }))
    const listOf = async (buildId: number) =>
      (await listGroups(app, `?buildId=${buildId}`)).map(({ culprit }: { culprit: string }) => culprit)
    assert.deepEqual(await listOf(first), ['org.tarn.shop.Cart.pay'])
    assert.deepEqual(await listOf(second), ['org.tarn.shop.Cart.refund'])
    assert.deepEqual(await listOf(999_999), [])
    assert.equal((await server.call('GET', `/v1/applications/${app.id}/crashGroups?buildId=x`)).status, 400)
  })

  it('page through groups in each order', async () => {
    const app = await createCrashApplication(server, 'paged')
    const methods = ['a1', 'b2', 'c3', 'd4', 'e5']
    await send(app, ...methods.flatMap((method, place) => methods.slice(place).map(() => createEvent({ method }))))
    for (const sort of ['lastSeen', 'firstSeen', 'crashes', 'installs']) {
      const whole = (await listGroups(app, `?sort=${sort}`)).map(({ id }: { id: number }) => id)
      assert.equal(whole.length, 5)
      const paged: number[] = []
      let path: string | undefined = `/v1/applications/${app.id}/crashGroups?sort=${sort}&limit=2`
      while (path !== undefined) {
        const answer: Awaited<ReturnType<typeof server.call>> = await server.call('GET', path)
        assert.equal(answer.headers.get('x-total-count'), '5')
        paged.push(...answer.json.map(({ id }: { id: number }) => id))
        const next = /<([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1]
        path = next === undefined ? undefined : new URL(next).pathname + new URL(next).search
      }
      assert.deepEqual(paged, whole, sort)
    }
  })

  it('open a resolved group again only when they come from a later release', async () => {
    const app = await createCrashApplication(server, 'regressed')
    await send(app, createEvent({ build: 7 }))
    const [group] = await listGroups(app)
    const resolved = await server.call('PATCH', `/v1/crashGroups/${group.id}`, { json: { status: 'resolved' } })
    assert.equal(resolved.json.status, 'resolved')
    await send(app, createEvent({ build: 7 }), createEvent({ build: 3 }))
    assert.equal((await listGroups(app, '?status=resolved')).length, 1)
    await send(app, createEvent({ build: 10 }))
    const [back] = await listGroups(app, '?status=open')
    assert.deepEqual([back.id, back.isRegressed, back.status], [group.id, true, 'open'])
    await server.call('PATCH', `/v1/crashGroups/${group.id}`, { json: { resolvedInVersion: '11' } })
    await send(app, createEvent({ build: 10 }))
    assert.equal((await listGroups(app))[0].status, 'resolved')
    await send(app, createEvent({ build: 12 }))
    assert.deepEqual([(await listGroups(app))[0].status, (await listGroups(app))[0].isRegressed], ['open', true])

    const change = async (update: object) => {
      const json = { groupIds: [group.id], ...update }
      assert.equal((await server.call('PATCH', `/v1/applications/${app.id}/crashGroups`, { json })).status, 200)
      const [{ status, isRegressed, isStillCrashing }] = await listGroups(app)
      return [status, isRegressed, isStillCrashing]
    }
    assert.deepEqual(await change({ status: 'ignored', isRegressed: true }), ['ignored', false, false])
    assert.deepEqual(await change({ status: 'open', isRegressed: true }), ['open', true, false], 'a change taken back')
    const stillCrashing = { status: 'resolved', resolvedInVersion: '12', isStillCrashing: true }
    assert.deepEqual(await change(stillCrashing), ['resolved', false, true])
    assert.deepEqual(await change({ status: 'open' }), ['open', false, false])
  })

  it('keep what was merged and split by hand when the rules change every key', async () => {
    const app = await createCrashApplication(server, 'merged')
    await send(
      app,
      createEvent({ method: 'one' }),
      createEvent({ method: 'two' }),
      createEvent({ method: 'two', lines: [5] }),
    )
    const groups = await listGroups(app)
    assert.equal(groups.length, 2)
    const two = groups.find(({ culprit }: { culprit: string }) => culprit.endsWith('two'))
    const one = groups.find(({ culprit }: { culprit: string }) => culprit.endsWith('one'))
    const { json: merged } = await server.call('POST', `/v1/crashGroups/${one.id}/merge`, {
      json: { groupIds: [two.id] },
    })
    assert.equal(merged.crashCount, 3)
    assert.equal((await server.call('GET', `/v1/crashGroups/${two.id}`)).status, 301)
    const { json: statistics } = await server.call('GET', `/v1/crashGroups/${one.id}/statistics`)
    const stackId = statistics.stacks.at(-1).id
    const { json: split } = await server.call('POST', `/v1/crashGroups/${one.id}/split`, {
      json: { stackIds: [stackId] },
    })
    assert.equal(split.crashCount, 1)
    const rules = { rules: [{ kind: 'system', pattern: 'org.tarn.shop.*' }] }
    assert.deepEqual((await server.call('PUT', `/v1/applications/${app.id}/crashRules`, { json: rules })).json, rules)
    await waitUntilRead(server, app.id)
    const after = await listGroups(app)
    assert.deepEqual(
      after
        .map(({ id, crashCount }: { id: number; crashCount: number }) => [id, crashCount])
        .toSorted(([one]: number[], [other]: number[]) => (one ?? 0) - (other ?? 0)),
      [
        [one.id, 2],
        [split.id, 1],
      ],
    )
    await send(app, createEvent({ method: 'two' }))
    assert.equal((await listGroups(app)).length, 2)
    const foreign = await server.call('POST', `/v1/crashGroups/${one.id}/split`, { json: { stackIds: [stackId] } })
    assert.equal(foreign.status, 400)
  })

  it('are deleted by the id of their installation, in the form that apps send or the API shows', async () => {
    const app = await createCrashApplication(server, 'deleted')
    await send(app, createEvent({ user: 'ada' }), createEvent({ user: 'ada' }), createEvent({ user: 'bob' }))
    const crashes = await listAllCrashes(server, app.id)
    assert.equal(new Set(crashes.map(({ installId }) => installId)).size, 2)
    assert.ok(crashes.every(({ installId }) => /^[0-9a-f]{16}$/.test(installId)))
    const path = `/v1/applications/${app.id}/crashes?installId=`
    assert.equal((await server.call('DELETE', `${path}ada`)).status, 204)
    const left = await listAllCrashes(server, app.id)
    assert.equal(left.length, 1)
    assert.equal((await listGroups(app))[0].installCount, 1)
    await server.call('DELETE', path + left[0].installId)
    assert.deepEqual(await listAllCrashes(server, app.id), [])
  })

  it('count the sessions of a release once and tell its crash-free rate', async () => {
    const app = await createCrashApplication(server, 'sessions')
    const session = (sid: string, init: boolean, status: string) =>
      [
        JSON.stringify({ sent_at: new Date().toISOString() }),
        JSON.stringify({ type: 'session' }),
        JSON.stringify({ sid, init, status, started: new Date().toISOString(), attrs: { release: 'shop@1.0+1' } }),
      ].join('\n')
    for (const sid of ['s1', 's2', 's3', 's4', 's1']) {
      await deliver(server, app, 'sentry-envelope', session(sid, true, 'ok'))
    }
    for (let times = 0; times < 3; times++) {
      await deliver(server, app, 'sentry-envelope', session('s2', false, 'crashed'))
    }
    await waitUntilRead(server, app.id)
    const { json } = await server.call('GET', `/v1/applications/${app.id}/stability?version=1.0`)
    const [{ startedCount, crashedCount, crashFreeRate }] = json
    assert.deepEqual(
      { startedCount, crashedCount, crashFreeRate },
      { startedCount: 4, crashedCount: 1, crashFreeRate: 0.75 },
    )
  })
})

describe('crash keys', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  it('can send crashes but read nothing, and stop working when they are disabled', async () => {
    const app = await createCrashApplication(server, 'keyed')
    const { json: openapi } = await server.call('GET', '/openapi.json', { token: null })
    for (const [template, operations] of Object.entries<Record<string, unknown>>(openapi.paths)) {
      // Everybody may ask whether the server is set up, and how people sign in.
      if (['/v1/setup', '/v1/signInOptions'].includes(template)) continue
      if (!('get' in operations) || !template.startsWith('/v1/')) continue
      const path = template.replaceAll(/\{\w+\}/g, String(app.id))
      const headers = {
        'X-Service-Crash-Key': app.key,
        'X-Sentry-Auth': `Sentry sentry_key=${app.key}`,
        'App-Secret': app.key,
      }
      const answer = await server.call('GET', path, { token: null, headers })
      assert.ok([400, 401, 404].includes(answer.status), `${template} answered ${answer.status}`)
    }
    const { json: keys } = await server.call('GET', `/v1/applications/${app.id}/crashKeys`)
    assert.equal(keys.length, 1)
    assert.equal(keys[0].key, app.key)
    assert.equal(new URL(keys[0].sentryDsn).username, app.key)
    const path = `/v1/applications/${app.id}/crashKeys/${keys[0].id}`
    const disabled = await server.call('PATCH', path, { json: { isEnabled: false } })
    assert.equal(disabled.json.isEnabled, false)
    const refused = await deliver(server, app, 'sentry-store', JSON.stringify(createEvent()))
    assert.equal(refused.status, 403)
    assert.equal(refused.json.httpStatus, 403)
    assert.equal(refused.headers.get('access-control-allow-origin'), '*')
  })

  it('are accepted wherever a Sentry SDK puts them, and browsers may send from any page', async () => {
    const app = await createCrashApplication(server, 'placed')
    const body = JSON.stringify(createEvent())
    const dsn = app.sentryDsn
    const attempts: { path?: string; headers?: Record<string, string>; body?: string }[] = [
      { headers: { 'X-Sentry-Auth': `Sentry sentry_version=7, sentry_key=${app.key}, sentry_client=x` } },
      { headers: { Authorization: `Sentry sentry_version=7,sentry_key=${app.key}` } },
      { path: `?sentry_key=${app.key}&sentry_version=7` },
      { path: `?sentry_key=${app.key.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}` },
      { body: `${JSON.stringify({ dsn })}\n${JSON.stringify({ type: 'event' })}\n${body}` },
    ]
    for (const { path = '', headers = {}, body: envelope } of attempts) {
      const kind = envelope === undefined ? 'store' : 'envelope'
      const answer = await server.call('POST', `/api/${app.id}/${kind}/${path}`, {
        token: null,
        headers: { 'Content-Type': 'text/plain;charset=UTF-8', ...headers },
        body: envelope ?? body,
      })
      assert.equal(answer.status, 200, answer.text)
      assert.match(answer.json.id, /^[0-9a-f]{32}$/)
    }
    const preflight = await server.call('OPTIONS', `/api/${app.id}/envelope/`, { token: null })
    assert.equal(preflight.status, 204)
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /X-Sentry-Auth/)
  })

  it('let SDKs learn which items are not read, and App Center which logs were accepted', async () => {
    const app = await createCrashApplication(server, 'told')
    const transaction = await deliver(server, app, 'sentry-envelope', '{}\n{"type":"transaction"}\n{}')
    assert.equal(transaction.status, 200)
    assert.match(transaction.headers.get('x-sentry-rate-limits') ?? '', /^3600:transaction;.*attachment:key$/)
    const id = '11111111-2222-4333-8444-555555555555'
    const logs = await deliver(
      server,
      app,
      'appcenter',
      JSON.stringify({
        logs: [null, { type: 'managedError', id, fatal: true, exception: { type: 'E' } }, { type: 'x' }],
      }),
    )
    assert.equal(logs.status, 200, logs.text)
    assert.equal(logs.json.status, 'Success')
    assert.deepEqual(logs.json.validDiagnosticsIds, [id])
    const attachment = await server.call('PUT', `/api/acra/${app.key}/${id}-log.txt`, { token: null, body: 'log' })
    assert.equal(attachment.status, 200)
    const { json: intake } = await waitUntilRead(server, app.id)
    assert.equal(intake.droppedCounts.transaction, 1)
  })
})
