/** Tests first starts on a PostgreSQL that is empty, or that does not run yet. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openPostgresClient } from '../apps/server/src/testing/postgres-client.ts'
import { findFreePort } from '../scripts/free-port.ts'
import { type Postgres, startPostgres } from '../scripts/postgres.ts'
import { callApi, waitUntil } from './processes/api.ts'
import { openTemporaryFolder, startServerProcess } from './processes/server-process.ts'
import { startTcpProxy } from './processes/tcp-proxy.ts'

describe('the first start on PostgreSQL', () => {
  const opened = new AsyncDisposableStack()
  let postgres: Postgres | undefined
  let folder: string

  before(async () => {
    postgres = await startPostgres()
    if (postgres) opened.use(postgres)
    folder = opened.use(await openTemporaryFolder()).path
  })
  after(() => opened.disposeAsync())

  const test = (name: string, run: (postgres: Postgres) => Promise<void>) =>
    it(name, async (context) => {
      if (postgres) return run(postgres)
      assert.notEqual(process.env.CI, 'true', 'nothing may be left out here, and PostgreSQL is missing')
      context.skip('needs PostgreSQL')
    })

  void test('migrates once and makes one workspace when three replicas start at the same time', async ({ url }) => {
    const start = async (name: string) =>
      opened.use(await startServerProcess({ dataDir: join(folder, name), env: { FAIRLEAD_DATABASE_URL: url } }))
    const replicas = await Promise.all(['first', 'second', 'third'].map(start))
    for (const replica of replicas) {
      assert.equal((await callApi(replica.url, 'GET', '/v1/applications')).status, 200)
      assert.doesNotMatch(replica.output(), /"level":[56]0/)
    }
    await using admin = await openPostgresClient(url)
    const [counts] = await admin.query(
      `select (select count(*)::int from workspaces) as workspaces, (select count(*)::int from api_tokens) as tokens,
         (select count(*)::int from jobs where kind = 'daily-chores') as chores`,
    )
    assert.deepEqual({ ...Object(counts) }, { workspaces: 1, tokens: 1, chores: 1 })
  })

  void test('waits for a PostgreSQL that does not run yet, and says so', async ({ url }) => {
    const late = new URL(url)
    const port = await findFreePort()
    late.port = String(port)
    const stdout = join(folder, 'output')
    const env = { FAIRLEAD_DATABASE_URL: late.href }
    const starting = startServerProcess({ dataDir: join(folder, 'waiting'), env, stdout })
    starting.catch(() => {})
    const readLog = () => readFile(stdout, 'utf8').catch(() => '')
    await waitUntil('the log says it', async () => (await readLog()).includes('PostgreSQL cannot be reached'))
    await using _proxy = await startTcpProxy(Number(new URL(url).port), port)
    await using server = await starting
    assert.equal((await callApi(server.url, 'GET', '/v1/applications')).status, 200)
  })
})
