/**
 * Measures whether work grows with the number of crashes: 1,000 stacks are read again, and groups are listed, with
 * 10,000 crashes and with a million. `FAIRLEAD_BENCH_CRASHES` chooses another number than a million.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openPostgresClient } from '../apps/server/src/testing/postgres-client.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { printTable, takeTurns } from './measure.ts'
import { openTemporaryFolder, type RunningServer, startFairlead } from './processes.ts'

const token = 'fl_token-of-the-bench-0123456789abcdefghij'
const stackCount = 1000
const small = 10_000
const large = Number(process.env.FAIRLEAD_BENCH_CRASHES ?? 1_000_000)
const rounds = 5
const lists = 100

await using folder = await openTemporaryFolder()
await using opened = new AsyncDisposableStack()

async function call<Answer>(url: string, method: string, path: string, body?: object): Promise<Answer> {
  const answer = await fetch(url + path, {
    method,
    headers: { 'X-Service-Token': token, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return (await answer.json()) as Answer
}

/** Sends one crash of each stack, and then copies rows in the database until there are `count` crashes. */
async function fill(server: RunningServer, count: number, execute: (statement: string) => Promise<void>) {
  const { url } = server
  await call(url, 'POST', '/v1/applications', { name: 'Bench', alias: 'bench', platform: 'android' })
  const { key } = await call<{ key: string }>(url, 'POST', '/v1/applications/1/crashKeys', { name: 'Bench' })
  for (let stack = 0; stack < stackCount; stack++) {
    const frames = Array.from({ length: 30 }, (_, place) => ({
      module: `org.tarn.part${place}.Screen${stack}`,
      function: `step${place}`,
      lineno: place,
    }))
    const event = {
      level: 'fatal',
      platform: 'java',
      exception: { values: [{ type: 'Error', stacktrace: { frames } }] },
    }
    await call(url, 'POST', `/api/1/store/?sentry_key=${key}`, event)
  }
  await waitUntilRead(url)
  await execute(
    `with recursive numbers(n) as (select 2 union all select n + 1 from numbers where n < ${count / stackCount})
     insert into crashes (application_id, stack_id, source, source_id, kind, is_fatal, occurred_at, received_at,
       release_id, device_model, os_name, os_version, install_id)
     select application_id, stack_id, source, source_id || n, kind, is_fatal, occurred_at, received_at, release_id,
       device_model, os_name, os_version, install_id from numbers, crashes`,
  )
  await execute(`update crash_stacks set crash_count = ${count / stackCount}`)
  await execute(`update crash_groups set crash_count = ${count / stackCount}`)
}

async function waitUntilRead(url: string): Promise<void> {
  for (;;) {
    const { pendingCount } = await call<{ pendingCount: number }>(url, 'GET', '/v1/applications/1/crashIntake')
    if (pendingCount === 0) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Returns the milliseconds until all stacks are read again after a new rule that changes every key. */
let ruleNumber = 0
async function reread({ url }: RunningServer): Promise<number> {
  const rule = { kind: 'skip', pattern: `org.tarn.part${29 - (ruleNumber++ % 4)}.*` }
  const started = performance.now()
  await call(url, 'PUT', '/v1/applications/1/crashRules', { rules: [rule] })
  await waitUntilRead(url)
  return performance.now() - started
}

/** Returns the milliseconds for one page of groups. */
async function listGroups({ url }: RunningServer): Promise<number> {
  const started = performance.now()
  for (let time = 0; time < lists; time++) {
    // The search differs each time, so that no answer comes from a cache.
    await call(url, 'GET', `/v1/applications/1/crashGroups?status=open&limit=50&q=screen${time}`)
  }
  return (performance.now() - started) / lists
}

async function startOnSqlite(count: number): Promise<RunningServer> {
  const dataDir = join(folder.path, `sqlite-${count}`)
  {
    await using first = await startFairlead(dataDir, token)
    await fill(first, count, async (statement) => {
      using database = new DatabaseSync(join(dataDir, 'fairlead.db'), { timeout: 60_000 })
      database.exec(statement)
    })
  }
  return opened.use(await startFairlead(dataDir, token))
}

async function startOnPostgres(url: string, count: number): Promise<RunningServer> {
  {
    await using client = await openPostgresClient(url)
    await client.query(`create database bench_${count}`)
  }
  const database = new URL(url)
  database.pathname = `/bench_${count}`
  process.env.FAIRLEAD_DATABASE_URL = database.href
  const server = opened.use(await startFairlead(join(folder.path, `postgres-${count}`), token))
  delete process.env.FAIRLEAD_DATABASE_URL
  await fill(server, count, async (statement) => {
    await using filling = await openPostgresClient(database.href)
    await filling.query(statement)
    await filling.query('analyze')
  })
  return server
}

const postgres = await startPostgres()
if (!postgres) throw new Error('PostgreSQL is not installed')
opened.use(postgres)
const rows: (string | number)[][] = []
for (const [engine, start] of [
  ['SQLite', startOnSqlite],
  ['PostgreSQL', (count: number) => startOnPostgres(postgres.url, count)],
] as const) {
  const [few, many] = [await start(small), await start(large)]
  const times = await takeTurns(rounds, {
    rereadFew: () => reread(few),
    rereadMany: () => reread(many),
    listFew: () => listGroups(few),
    listMany: () => listGroups(many),
  })
  const add = (work: string, one: number, other: number, wanted: string) => {
    const count = small.toLocaleString('en')
    rows.push([
      `${work}, ${engine}`,
      `${other.toFixed(1)} ms`,
      `of ${count}, ${one.toFixed(1)} ms`,
      (other / one).toFixed(2),
      wanted,
    ])
  }
  const of = large.toLocaleString('en')
  add(`1,000 stacks read again, of ${of} crashes`, times.rereadFew, times.rereadMany, '≤ 1.1')
  add(`list of groups, of ${of} crashes`, times.listFew, times.listMany, '≤ 1.5')
}
printTable(['work', 'Fairlead', 'compared with', 'ratio', 'wanted'], rows)
