/**
 * Measures whether work grows with the number of crashes: 1,000 stacks are read again beside 10,000 crashes, groups are
 * listed beside 50,000, and both beside millions. All figures are the CPU time of all processes, PostgreSQL's included.
 * `BENCH_SQLITE_CRASHES` and `BENCH_POSTGRES_CRASHES` choose other numbers than 5,000,000; 0 leaves a database out.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openPostgresClient, type PostgresClient } from '../apps/server/src/testing/postgres-client.ts'
import { type Postgres, startPostgres } from '../scripts/postgres.ts'
import { call, token } from './call.ts'
import { printTable, takeTurns } from './measure.ts'
import { bothCores, openTemporaryFolder, readTreeCpuTime, startFairlead } from './processes.ts'

const stackCount = 1000
const few = { reread: 10_000, list: 50_000 }
const rounds = Number(process.env.BENCH_ROUNDS ?? 9)
const lists = 50

interface Contestant {
  url: string
  /** The processes whose CPU time counts, each with those that it started. */
  pids: number[]
}

await using folder = await openTemporaryFolder()
await using opened = new AsyncDisposableStack()

/** Sends one crash of each stack. */
async function sendStacks(url: string): Promise<void> {
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
}

/** Statements that copy the crashes of all stacks until there are `count`. */
function toCopies(count: number): string[] {
  const perStack = count / stackCount
  return [
    `with recursive numbers(n) as (select 2 union all select n + 1 from numbers where n < ${perStack})
     insert into crashes (application_id, stack_id, source, source_id, kind, is_fatal, occurred_at, received_at,
       release_id, device_model, os_name, os_version, install_id)
     select application_id, stack_id, source, cast(10000000 + n as text) || source_id, kind, is_fatal, occurred_at,
       received_at, release_id, device_model, os_name, os_version, install_id from numbers cross join crashes`,
    `update crash_stacks set crash_count = ${perStack}`,
    `update crash_groups set crash_count = ${perStack}`,
  ]
}

async function waitUntilRead(url: string): Promise<void> {
  for (;;) {
    const { pendingCount } = await call<{ pendingCount: number }>(url, 'GET', '/v1/applications/1/crashIntake')
    if (pendingCount === 0) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function readCpuTimes({ pids }: Contestant): Promise<number> {
  const times = await Promise.all(pids.map(readTreeCpuTime))
  return times.reduce((sum, time) => sum + time, 0) / 1000
}

/** Returns the milliseconds of CPU time for reading all stacks again after a new rule that changes every key. */
let ruleNumber = 0
async function reread(contestant: Contestant): Promise<number> {
  const before = await readCpuTimes(contestant)
  const rule = { kind: 'skip', pattern: `org.tarn.part${29 - (ruleNumber++ % 4)}.*` }
  await call(contestant.url, 'PUT', '/v1/applications/1/crashRules', { rules: [rule] })
  await waitUntilRead(contestant.url)
  return (await readCpuTimes(contestant)) - before
}

/** Returns the milliseconds of CPU time for one page of groups. */
async function listGroups(contestant: Contestant): Promise<number> {
  const before = await readCpuTimes(contestant)
  for (let time = 0; time < lists; time++) {
    // The search differs each time, so that no answer comes from a cache.
    await call(contestant.url, 'GET', `/v1/applications/1/crashGroups?status=open&limit=50&q=screen${time}`)
  }
  return ((await readCpuTimes(contestant)) - before) / lists
}

async function startOnSqlite(count: number): Promise<Contestant> {
  const dataDir = join(folder.path, `sqlite-${count}`)
  {
    await using first = await startFairlead(dataDir, token, bothCores)
    await sendStacks(first.url)
  }
  {
    using database = new DatabaseSync(join(dataDir, 'fairlead.db'))
    database.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -500000')
    for (const statement of toCopies(count)) database.exec(statement)
  }
  const server = opened.use(await startFairlead(dataDir, token, bothCores))
  return { url: server.url, pids: [server.pid] }
}

/** Fills the table without its indexes and its foreign keys, because creating an index afterwards costs far less. */
async function fillPostgres(filling: PostgresClient, count: number): Promise<void> {
  const settings = ['synchronous_commit = off', "maintenance_work_mem = '512MB'", 'session_replication_role = replica']
  for (const setting of settings) await filling.query(`set ${setting}`)
  const indexes = await filling.query<{ indexname: string; indexdef: string }>(
    `select indexname, indexdef from pg_indexes where tablename = 'crashes' and indexname not in
      (select conname from pg_constraint where conrelid = 'crashes'::regclass)`,
  )
  for (const { indexname } of indexes) await filling.query(`drop index "${indexname}"`)
  for (const statement of toCopies(count)) await filling.query(statement)
  for (const { indexdef } of indexes) await filling.query(indexdef)
  for (const statement of ['vacuum analyze', 'checkpoint']) await filling.query(statement)
}

async function startOnPostgres({ url, folder: cluster }: Postgres, count: number): Promise<Contestant> {
  {
    await using client = await openPostgresClient(url)
    await client.query(`create database bench_${count}`)
  }
  const database = new URL(url)
  database.pathname = `/bench_${count}`
  process.env.FAIRLEAD_DATABASE_URL = database.href
  const server = opened.use(await startFairlead(join(folder.path, `postgres-${count}`), token, bothCores))
  delete process.env.FAIRLEAD_DATABASE_URL
  await sendStacks(server.url)
  await using filling = await openPostgresClient(database.href)
  await fillPostgres(filling, count)
  const [pid = ''] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  return { url: server.url, pids: [server.pid, Number(pid)] }
}

const postgres = await startPostgres()
if (!postgres) throw new Error('PostgreSQL is not installed')
opened.use(postgres)
{
  // With the default size, PostgreSQL would write its buffers to the disk every few seconds while it is filled.
  await using settings = await openPostgresClient(postgres.url)
  await settings.query("alter system set max_wal_size = '16GB'")
  await settings.query('select pg_reload_conf()')
}
for (const [engine, start, large] of [
  ['SQLite', startOnSqlite, Number(process.env.BENCH_SQLITE_CRASHES ?? 5_000_000)],
  [
    'PostgreSQL',
    (count: number) => startOnPostgres(postgres, count),
    Number(process.env.BENCH_POSTGRES_CRASHES ?? 5_000_000),
  ],
] as const) {
  if (large === 0) continue
  const rows: (string | number)[][] = []
  const [forReread, forList, many] = [await start(few.reread), await start(few.list), await start(large)]
  const times = await takeTurns(rounds, {
    rereadFew: () => reread(forReread),
    rereadMany: () => reread(many),
    listFew: () => listGroups(forList),
    listMany: () => listGroups(many),
  })
  const add = (work: string, count: number, one: number, other: number, wanted: string) =>
    rows.push([
      `${work} of ${large.toLocaleString('en')} crashes, ${engine}`,
      `${other.toFixed(1)} ms`,
      `of ${count.toLocaleString('en')}, ${one.toFixed(1)} ms`,
      (other / one).toFixed(2),
      wanted,
    ])
  add('1,000 stacks read again,', few.reread, times.rereadFew, times.rereadMany, '≤ 1.1')
  add('list of groups,', few.list, times.listFew, times.listMany, '≤ 1.5')
  // Each engine has a table of its own, because filling the next database takes minutes.
  printTable(['work', 'Fairlead', 'compared with', 'ratio', 'wanted'], rows)
}
