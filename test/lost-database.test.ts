import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { openPostgresClient, type PostgresClient } from '../apps/server/src/testing/postgres-client.ts'
import { type Postgres, startPostgres } from '../scripts/postgres.ts'
import { callApi, createApk, createApplication, toSha256, uploadBuild, waitUntil } from './processes/api.ts'
import { openTemporaryFolder, type ServerProcess, startServerProcess } from './processes/server-process.ts'
import { startTcpProxy, type TcpProxy } from './processes/tcp-proxy.ts'

const opened = new AsyncDisposableStack()
let postgres: Postgres | undefined
let proxy: TcpProxy
let server: ServerProcess
let dataDir: string
let databaseUrl: string

before(async () => {
  postgres = await startPostgres()
  if (!postgres) return
  opened.use(postgres)
  proxy = opened.use(await startTcpProxy(Number(new URL(postgres.url).port)))
  const url = new URL(postgres.url)
  url.port = String(proxy.port)
  dataDir = opened.use(await openTemporaryFolder()).path
  databaseUrl = url.href
  const env = { FAIRLEAD_DATABASE_URL: databaseUrl, FAIRLEAD_DATABASE_TIMEOUT_SECONDS: '5' }
  server = opened.use(await startServerProcess({ dataDir, env }))
})
after(() => opened.disposeAsync())

const onPostgres = (name: string, test: (admin: PostgresClient) => Promise<void>) =>
  it(name, async (context) => {
    if (!postgres) {
      assert.notEqual(process.env.CI, 'true', 'nothing may be left out here, and PostgreSQL is missing')
      context.skip('needs PostgreSQL')
      return
    }
    await using admin = await openPostgresClient(postgres.url)
    await test(admin)
  })

const isReady = async () => (await callApi(server.url, 'GET', '/readyz')).status === 200

describe('a server that loses PostgreSQL', () => {
  void onPostgres(
    'answers 503 and lives on when its session is ended in the middle of a transaction',
    async (admin) => {
      await createApplication(server.url, 'ended')
      // The lock keeps the upload's transaction waiting until its session is ended.
      await admin.query('begin; lock table builds in access exclusive mode')
      const upload = uploadBuild(server.url, 'ended', createApk())
      await waitUntil('a transaction waits', async () => (await listWaiting()).length > 0)
      for (const pid of await listWaiting()) await admin.query('select pg_terminate_backend($1)', [pid])
      const answer = await upload
      assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '5'])
      await admin.query('rollback')
      await waitUntil('the server is ready', isReady)
      assert.equal((await uploadBuild(server.url, 'ended', createApk())).status, 201)

      async function listWaiting(): Promise<number[]> {
        const rows = await admin.query<{ pid: number }>('select pid from pg_locks where not granted')
        return rows.map(({ pid }) => pid)
      }
    },
  )

  void onPostgres('keeps the bytes of a build whose commit succeeded without an answer', async () => {
    const applicationId = await createApplication(server.url, 'unanswered')
    const apk = createApk({ packageName: 'com.example.unanswered' })
    const lostBefore = proxy.lostAnswers()
    proxy.loseAnswerTo('commit')
    const lost = await uploadBuild(server.url, 'unanswered', apk, { 'Idempotency-Key': 'unanswered' })
    assert.equal(lost.status, 503)
    assert.equal(proxy.lostAnswers(), lostBefore + 1)
    await waitUntil('the server is ready', isReady)

    const retried = await uploadBuild(server.url, 'unanswered', apk, { 'Idempotency-Key': 'unanswered' })
    assert.equal(retried.status, 201)
    const equal = await uploadBuild(server.url, 'unanswered', apk)
    const { json: builds } = await callApi(server.url, 'GET', `/v1/applications/${applicationId}/builds`)
    assert.equal(builds.length, 2)
    for (const { id } of [retried.json, equal.json]) {
      const binary = await callApi(server.url, 'GET', `/v1/builds/${id}/binary`)
      assert.deepEqual([binary.status, toSha256(binary.bytes)], [200, toSha256(apk)])
    }
  })

  void onPostgres('removes the kept bytes of an upload that the database refused', async (admin) => {
    await createApplication(server.url, 'refused')
    const filesBefore = globSync('blobs/*/*', { cwd: dataDir }).length
    await admin.query('alter table builds add constraint refused check (name <> $$Refused$$) not valid')
    const answer = await uploadBuild(server.url, 'refused', createApk({ packageName: 'com.refused', label: 'Refused' }))
    await admin.query('alter table builds drop constraint refused')
    assert.equal(answer.status, 500)
    assert.equal(globSync('blobs/*/*', { cwd: dataDir }).length, filesBefore)
  })

  void onPostgres('answers 503 while PostgreSQL is away and is ready again when it is back', async () => {
    proxy.freeze()
    proxy.cut()
    const answer = await callApi(server.url, 'GET', '/v1/applications')
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '5'])
    proxy.thaw()
    await waitUntil('the server is ready', isReady)
    assert.equal((await callApi(server.url, 'GET', '/v1/applications')).status, 200)
  })

  void onPostgres('says within two seconds that it is not ready while PostgreSQL is frozen', async () => {
    proxy.freeze()
    const startedAt = Date.now()
    const answer = await callApi(server.url, 'GET', '/readyz')
    // The limit is part of the behaviour; a second more allows for a busy machine.
    assert.ok(Date.now() - startedAt < 3000)
    assert.equal(answer.status, 503)
    assert.equal((await callApi(server.url, 'GET', '/v1/applications')).status, 503)
    proxy.thaw()
    await waitUntil('the server is ready', isReady)
  })

  void onPostgres('a replica that stands still in a transaction does not hold up the others for long', async () => {
    await createApplication(server.url, 'still')
    await using other = await startServerProcess({ dataDir, env: { FAIRLEAD_DATABASE_URL: postgres?.url ?? '' } })
    proxy.holdAnswerTo('insert into "builds"')
    const still = uploadBuild(server.url, 'still', createApk())
    await waitUntil('the transaction stands still', () => proxy.isHolding())
    assert.equal((await uploadBuild(other.url, 'still', createApk())).status, 201)
    assert.equal((await still).status, 503)
    await waitUntil('the server is ready', isReady)
  })

  void onPostgres('ends on SIGTERM while PostgreSQL is frozen', async () => {
    const env = { FAIRLEAD_DATABASE_URL: databaseUrl, FAIRLEAD_DATABASE_TIMEOUT_SECONDS: '5' }
    await using other = await startServerProcess({ dataDir, env })
    await callApi(other.url, 'GET', '/v1/applications')
    proxy.freeze()
    const ended = other.end('SIGTERM')
    await Promise.race([ended, setTimeout(60_000).then(() => assert.fail('it did not end'))])
    proxy.thaw()
  })
})
