/**
 * Measures whether pages of test analysis cost more with many results: each page is requested from a server with 10,000
 * results and one with 10 million, in turn, and the CPU time of the server and its database is compared.
 *
 *     node bench/test-pages.bench.ts [sqlite|postgres]   # BENCH_RESULTS makes the large one smaller,
 *                                                         # BENCH_PAGES=WORDS measures pages with these words only
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { requireAt } from '@fairlead/invariant'
import { openPostgresClient } from '../apps/server/src/testing/postgres-client.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { listFillStatements } from './fill-tests.ts'
import { median, printTable } from './measure.ts'
import {
  microsecondsPerTick,
  openTemporaryFolder,
  readCpuTime,
  type RunningServer,
  startFairlead,
} from './processes.ts'

const token = 'fl_token-of-the-bench-0123456789abcdefghij'
const tests = 1000
const small = 10_000
const large = Number(process.env.BENCH_RESULTS ?? 10_000_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 7)
const words = process.env.BENCH_PAGES ?? ''
/** How often a page is requested in a round, because the kernel counts CPU time in hundredths of a second. */
const requests = 60

interface Filled {
  server: RunningServer
  runs: number
  /** The CPU time of the server and its database so far, in microseconds. */
  readCpu: () => Promise<number>
}

type Page = (runs: number, turn: number) => string

const testOf = (turn: number) => 1 + ((turn * 17) % tests)
const runOf = (runs: number, turn: number) => runs - (turn % Math.min(8, runs - 1))
const resultsOf = (runs: number, turn: number) => `/v1/testRuns/${runOf(runs, turn)}/results?limit=50`
const pages: Record<string, Page> = {
  'runs, first page': () => '/v1/applications/1/testRuns?limit=10',
  'runs of a branch': () => '/v1/applications/1/testRuns?limit=2&branch=main',
  'a run': (runs, turn) => `/v1/testRuns/${runOf(runs, turn)}`,
  'verdict of a run': (runs, turn) => `/v1/testRuns/${runOf(runs, turn)}/verdict`,
  'failure groups of a run': (runs, turn) => `/v1/testRuns/${runOf(runs, turn)}/failureGroups`,
  'results of a run, first page': resultsOf,
  'results of a run, later page': (runs, turn) => `${resultsOf(runs, turn)}&cursor=500.0.1`,
  'failed results of a run': (runs, turn) => `${resultsOf(runs, turn)}&outcome=failed`,
  'comparison of two runs': (runs, turn) => `/v1/testRuns/${runOf(runs, turn)}/comparison?to=${runOf(runs, turn) - 1}`,
  'tests, newest': () => '/v1/applications/1/tests?limit=50',
  'tests that fail': () => '/v1/applications/1/tests?limit=50&state=failing',
  'flaky tests': () => '/v1/applications/1/tests?limit=50&state=flaky',
  'slow tests': () => '/v1/applications/1/tests?limit=50&state=slow',
  'a test': (_, turn) => `/v1/tests/${testOf(turn)}`,
  'results of a test, first page': (_, turn) => `/v1/tests/${testOf(turn)}/results?limit=5`,
  'results of a test, later page': (runs, turn) =>
    `/v1/tests/${testOf(turn)}/results?limit=5&cursor=${Math.ceil(runs / 2) + 2}.0.1`,
  'failure groups': () => '/v1/applications/1/failureGroups?limit=10',
}

await using folder = await openTemporaryFolder()
await using opened = new AsyncDisposableStack()
const headers = { 'X-Service-Token': token, 'Content-Type': 'application/json' }

async function get(server: RunningServer, path: string): Promise<void> {
  const answer = await fetch(server.url + path, { headers })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${text}`)
}

async function createApplication(server: RunningServer): Promise<void> {
  const body = JSON.stringify({ name: 'Bench', alias: 'bench', platform: 'android' })
  const answer = await fetch(`${server.url}/v1/applications`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(await answer.text())
}

async function startOnSqlite(results: number): Promise<Filled> {
  const dataDir = join(folder.path, `sqlite-${results}`)
  {
    await using first = await startFairlead(dataDir, token)
    await createApplication(first)
  }
  {
    using database = new DatabaseSync(join(dataDir, 'fairlead.db'), { timeout: 60_000 })
    database.exec('pragma synchronous = off; pragma journal_mode = wal; pragma cache_size = -262144; begin')
    for (const statement of listFillStatements({ applicationId: 1, runs: results / tests, tests }, { override: '' })) {
      database.exec(statement)
    }
    database.exec('commit; analyze; pragma wal_checkpoint(truncate)')
  }
  const server = opened.use(await startFairlead(dataDir, token))
  return { server, runs: results / tests, readCpu: () => readCpuTime(server.pid) }
}

async function startOnPostgres(url: string, results: number): Promise<Filled> {
  await using client = await openPostgresClient(url)
  await client.query(`create database bench_${results}`)
  const own = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const main = await readParent(requireAt(own, 0).pid)
  const database = new URL(url)
  database.pathname = `/bench_${results}`
  process.env.FAIRLEAD_DATABASE_URL = database.href
  const server = opened.use(await startFairlead(join(folder.path, `postgres-${results}`), token))
  delete process.env.FAIRLEAD_DATABASE_URL
  await createApplication(server)
  await using filling = await openPostgresClient(database.href)
  const options = { override: 'overriding system value' }
  for (const statement of listFillStatements({ applicationId: 1, runs: results / tests, tests }, options)) {
    await filling.query(statement)
  }
  await filling.query('vacuum analyze')
  return {
    server,
    runs: results / tests,
    readCpu: async () => (await readCpuTime(server.pid)) + (await readCpuOfFamily(main)),
  }
}

async function readParent(pid: number): Promise<number> {
  return requireAt(await readStat(pid), 1)
}

/** Returns the CPU time of a process and of all that it has started, also of those that have ended. */
async function readCpuOfFamily(parent: number): Promise<number> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  // A process may end while the list is read.
  const stats = await Promise.all(pids.map((pid) => readStat(pid).catch(() => [])))
  const children = stats.filter(([, parentPid]) => parentPid === parent)
  const sum = (some: number[], from: number, to: number) => some.slice(from, to).reduce((a, b) => a + b, 0)
  const ticks = children.reduce((total, stat) => total + sum(stat, 11, 13), sum(await readStat(parent), 11, 15))
  return ticks * microsecondsPerTick
}

/** Reads the fields of /proc/PID/stat after the name: the parent is at 1, its time and its ended children's at 11. */
async function readStat(pid: number): Promise<number[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
}

/** Returns the milliseconds of CPU time of one request. */
async function measure({ server, runs, readCpu }: Filled, page: Page): Promise<number> {
  const before = await readCpu()
  for (let turn = 0; turn < requests; turn++) await get(server, page(runs, turn))
  return ((await readCpu()) - before) / requests / 1000
}

async function compare(engine: string, few: Filled, many: Filled): Promise<void> {
  const rows: string[][] = []
  for (const [name, page] of Object.entries(pages)) {
    if (!name.includes(words)) continue
    const times: [number[], number[]] = [[], []]
    for (const filled of [few, many]) await measure(filled, page)
    for (let round = 0; round < rounds; round++) {
      times[0].push(await measure(few, page))
      times[1].push(await measure(many, page))
    }
    const [one, other] = [median(times[0]), median(times[1])]
    rows.push([`${name}, ${engine}`, `${one.toFixed(2)} ms`, `${other.toFixed(2)} ms`, (other / one).toFixed(2)])
  }
  const toCount = (count: number) => count.toLocaleString('en')
  printTable(['page', `${toCount(small)} results`, `${toCount(large)} results`, 'ratio (wanted: ≤ 1.5)'], rows)
}

const engines = process.argv.slice(2)
const isWanted = (engine: string) => engines.length === 0 || engines.includes(engine)
if (isWanted('sqlite')) await compare('SQLite', await startOnSqlite(small), await startOnSqlite(large))
if (isWanted('postgres')) {
  const postgres = await startPostgres()
  if (!postgres) throw new Error('PostgreSQL is not installed')
  opened.use(postgres)
  const few = await startOnPostgres(postgres.url, small)
  await compare('PostgreSQL', few, await startOnPostgres(postgres.url, large))
}
