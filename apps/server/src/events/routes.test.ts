import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ChangeEvent } from '@fairlead/contract'
import { join, signIn } from '../testing/browser.ts'
import { createCrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import { openEventStream } from '../testing/event-stream.ts'
import { createSecondWorkspace } from '../testing/second-workspace.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { sendReport, writeJunit } from '../testing/test-reports.ts'
import { createApplication, uploadApk } from '../testing/upload.ts'

const is = (kind: ChangeEvent['kind'], change: ChangeEvent['change']) => (event: { type: string; data: ChangeEvent }) =>
  event.type === 'change' && event.data.kind === kind && event.data.change === change

describe('the stream of events', { timeout: 480_000 }, () => {
  let server: TestServer
  let shop: { id: number }

  before(async () => {
    server = await startServer()
    shop = await createApplication(server, 'shop')
  })
  after(() => server[Symbol.asyncDispose]())

  it('tells of builds that are uploaded, changed and deleted, with their ids and nothing else', async () => {
    const stream = await openEventStream(server.url)
    const build = await uploadApk(server, { alias: 'shop' })
    const created = await stream.next(is('build', 'created'))
    assert.deepEqual(created.data, { kind: 'build', change: 'created', applicationId: shop.id, ids: [build.id] })
    await server.call('PATCH', `/v2/builds/${build.id}`, { json: { releaseNotes: 'A secret of the team' } })
    assert.deepEqual((await stream.next(is('build', 'changed'))).data.ids, [build.id])
    await server.call('DELETE', `/v1/builds/${build.id}`)
    assert.deepEqual((await stream.next(is('build', 'deleted'))).data.ids, [build.id])
    assert.doesNotMatch(stream.text(), /secret/)
    stream.close()
  })

  it('tells of test runs when their first report is complete, and of what changes them', async () => {
    const stream = await openEventStream(server.url)
    const report = (name: string) => writeJunit([{ name }])
    const first = await sendReport(server, report('adds'), { key: 'ci-1', shard: '1/2' })
    assert.equal(first.status, 201, first.text)
    const created = await stream.next(is('testRun', 'created'))
    assert.equal(created.data.ids?.length, 1)
    await sendReport(server, report('removes'), { key: 'ci-1', shard: '2/2' })
    assert.deepEqual((await stream.next(is('testRun', 'changed'))).data.ids, created.data.ids)
    stream.close()
  })

  it('tells of groups of crashes', async () => {
    const application = await createCrashApplication(server, 'crashing')
    const stream = await openEventStream(server.url, { query: `?applicationId=${application.id}` })
    const frames = [{ module: 'org.tarn.shop.Cart', function: 'open', lineno: 12, filename: 'Cart.kt' }]
    const values = [{ type: 'IllegalStateException', module: 'java.lang', value: 'no cart', stacktrace: { frames } }]
    const crash = { platform: 'java', level: 'fatal', release: 'org.tarn.shop@1.1+1', exception: { values } }
    const delivered = await deliver(server, application, 'sentry-store', JSON.stringify(crash))
    assert.equal(delivered.status, 200, delivered.text)
    await waitUntilRead(server, application.id)
    const created = await stream.next(is('crashGroup', 'created'))
    const [id = 0] = created.data.ids ?? []
    await server.call('PATCH', `/v1/crashGroups/${id}`, { json: { status: 'resolved' } })
    assert.deepEqual((await stream.next(is('crashGroup', 'changed'))).data.ids, [id])
    stream.close()
  })

  it('tells only of the application that was asked for, and of no unknown one', async () => {
    const other = await createApplication(server, 'other')
    const stream = await openEventStream(server.url, { query: `?applicationId=${other.id}` })
    await uploadApk(server, { alias: 'shop' })
    const build = await uploadApk(server, { alias: 'other', apk: { packageName: 'com.example.other' } })
    assert.deepEqual((await stream.next(is('build', 'created'))).data.ids, [build.id])
    assert.doesNotMatch(stream.text(), new RegExp(`"applicationId":${shop.id}\\b`))
    stream.close()
    assert.equal((await server.call('GET', '/v1/events?applicationId=999999')).status, 404)
    assert.equal((await server.call('GET', '/v1/events?applicationId=x')).status, 400)
  })

  it('tells nothing of another workspace, whose applications it does not know', async () => {
    const token = await createSecondWorkspace(server)
    const headers = { 'X-Service-Token': token }
    const stream = await openEventStream(server.url, { headers })
    await uploadApk(server, { alias: 'shop' })
    await server.call('POST', '/v1/applications', { token, json: { name: 'Own', alias: 'own', platform: 'ios' } })
    await stream.next(is('application', 'created'))
    assert.doesNotMatch(stream.text(), /"kind":"build"/)
    stream.close()
    assert.equal((await server.call('GET', `/v1/events?applicationId=${shop.id}`, { token })).status, 404)
  })

  it('asks for a token or a session, and is open to viewers', async () => {
    assert.equal((await server.call('GET', '/v1/events', { token: null })).status, 401)
    const viewer = await join(server, { email: 'vera@example.com', role: 'viewer' })
    const stream = await openEventStream(server.url, { headers: { Cookie: viewer.cookie ?? '' } })
    const build = await uploadApk(server, { alias: 'shop' })
    assert.deepEqual((await stream.next(is('build', 'created'))).data.ids, [build.id])
    stream.close()
  })

  it('goes on after the id that a client got last, and says when that is not known', async () => {
    const first = await openEventStream(server.url)
    const seen = await uploadApk(server, { alias: 'shop' })
    await first.next(is('build', 'created'))
    first.close()
    const missed = await uploadApk(server, { alias: 'shop' })
    const second = await openEventStream(server.url, { headers: { 'Last-Event-ID': first.lastId() } })
    const event = await second.next((one) => is('build', 'created')(one) && one.data.ids?.includes(missed.id) === true)
    assert.ok(event.id !== undefined && seen.id < missed.id)
    second.close()
    const third = await openEventStream(server.url, { headers: { 'Last-Event-ID': 'unknown' } })
    await third.next(({ type }) => type === 'refresh')
    third.close()
  })

  it('is not held up by proxies and caches', async () => {
    const stream = await openEventStream(server.url, { headers: { 'Accept-Encoding': 'gzip' } })
    assert.match(stream.headers.get('content-type') ?? '', /^text\/event-stream/)
    assert.equal(stream.headers.get('x-accel-buffering'), 'no')
    assert.match(stream.headers.get('cache-control') ?? '', /no-transform/)
    assert.equal(stream.headers.get('content-encoding'), null)
    stream.close()
  })

  it('tells nothing of a transaction that was rolled back', async () => {
    const stream = await openEventStream(server.url, { query: `?applicationId=${shop.id}` })
    const body = new Uint8Array(Buffer.from('no binary'))
    const refused = await server.call('POST', '/v2/builds', {
      headers: { 'X-Service-Application-Alias': 'shop' },
      body,
    })
    assert.ok(refused.status >= 400)
    const duplicate = await server.call('POST', '/v1/applications', {
      json: { name: 'shop', alias: 'shop', platform: 'android' },
    })
    assert.equal(duplicate.status, 409)
    const build = await uploadApk(server, { alias: 'shop' })
    assert.deepEqual((await stream.next(({ type }) => type === 'change')).data.ids, [build.id])
    stream.close()
  })
})

describe('a stream of events', { timeout: 480_000 }, () => {
  it('ends with the token, the session, the membership or the role that it was opened with', async () => {
    await using server = await startServer()
    await createApplication(server, 'shop')
    const created = await server.call('POST', '/v1/apiTokens', { json: { name: 'wall', role: 'viewer' } })
    const byToken = await openEventStream(server.url, { headers: { 'X-Service-Token': created.json.token } })
    const people = await Promise.all(
      ['out', 'gone', 'less'].map((name) => join(server, { email: `${name}@example.com`, role: 'developer' })),
    )
    const streams = await Promise.all(
      people.map(({ cookie = '' }) => openEventStream(server.url, { headers: { Cookie: cookie } })),
    )
    const other = await openEventStream(server.url)

    await server.call('DELETE', `/v1/apiTokens/${created.json.id}`)
    await byToken.end()
    const [out, gone, less] = people
    assert.equal((await out?.call('DELETE', '/v1/session'))?.status, 204)
    await streams[0]?.end()
    const idOf = (browser: typeof gone) => browser?.session?.account.id ?? 0
    assert.equal((await server.call('DELETE', `/v1/members/${idOf(gone)}`)).status, 204)
    await streams[1]?.end()
    await server.call('PATCH', `/v1/members/${idOf(less)}`, { json: { role: 'viewer' } })
    await streams[2]?.end()
    const refused = await server.call('GET', '/v1/events', { token: null, headers: { Cookie: gone?.cookie ?? '' } })
    assert.ok(refused.status === 401 || refused.status === 403)

    await uploadApk(server, { alias: 'shop' })
    await other.next(is('build', 'created'))
    other.close()
  })

  it('ends for those who need a second factor from now on', async () => {
    await using server = await startServer()
    const admin = await join(server, { email: 'mara@example.com', role: 'admin' })
    const stream = await openEventStream(server.url, { headers: { Cookie: admin.cookie ?? '' } })
    await server.call('PATCH', '/v1/workspace', { json: { isTwoFactorRequired: true } })
    await stream.end()
    const again = await signIn(server, 'mara@example.com')
    const refused = await server.call('GET', '/v1/events', { token: null, headers: { Cookie: again.cookie ?? '' } })
    assert.equal(refused.status, 403)
  })

  it('takes no place of the limits of connections, and has limits of its own', async () => {
    await using server = await startServer({
      FAIRLEAD_MAX_CONNECTIONS_PER_ADDRESS: '4',
      FAIRLEAD_MAX_CONNECTIONS: '40',
    })
    const streams = []
    // Half of 40 connections are for streams, and one workspace may have three quarters of those.
    for (let index = 0; index < 15; index++) streams.push(await openEventStream(server.url))
    const refused = await server.call('GET', '/v1/events')
    assert.equal(refused.status, 429)
    assert.equal(refused.headers.get('retry-after'), '30')
    assert.equal((await server.call('GET', '/v1/applications')).status, 200)
    streams.pop()?.close()
    let reopened = await server.call('GET', '/healthz')
    while (reopened.status === 200 && streams.length < 15) {
      const stream = await openEventStream(server.url).catch(() => undefined)
      if (stream) streams.push(stream)
      reopened = await server.call('GET', '/healthz')
    }
    for (const stream of streams) stream.close()
  })

  it('ends at once when the server closes', async () => {
    const server = await startServer()
    const stream = await openEventStream(server.url)
    const startedAt = Date.now()
    await Promise.all([server[Symbol.asyncDispose](), stream.end()])
    assert.ok(Date.now() - startedAt < 25_000, 'the server waited for the stream')
  })
})
