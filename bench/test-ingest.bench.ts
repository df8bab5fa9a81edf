/**
 * Compares the intake of test reports with bare inserts of the same rows: Fairlead takes the bytes of a JUnit report of
 * 20,000 cases and stores them in a run; then a bare `node:sqlite` inserts the very rows that this created into a
 * database with the same tables and indexes, one statement per row, in one durable transaction. On PostgreSQL, bare
 * `pg` does the same with a prepared statement, and once more with one statement for all rows of a table, which gets
 * their columns as arrays. CPU time of all processes, in turn.
 *
 *     node bench/test-ingest.bench.ts [rounds]
 */
import { createReadStream, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { requireAt, requireKey } from '@fairlead/invariant'
import { Client } from 'pg'
import { requireApplicationByAlias } from '../apps/server/src/applications/find.ts'
import { readConfig } from '../apps/server/src/config.ts'
import type { AppContext } from '../apps/server/src/context.ts'
import { openContext } from '../apps/server/src/open-context.ts'
import { openPostgresClient } from '../apps/server/src/testing/postgres-client.ts'
import { serve } from '../apps/server/src/serve.ts'
import { storeReport } from '../apps/server/src/test-results/store-report.ts'
import { writeReport } from '../packages/reports/bench/write-report.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { recordAim } from './aims.ts'
import { median, printTable } from './measure.ts'
import { microsecondsPerTick, openTemporaryFolder } from './processes.ts'
import { findFreePort } from '../scripts/free-port.ts'

const rounds = Number(process.argv[2] ?? 5)
const tables = ['test_results', 'test_failures'] as const

type Rows = Record<(typeof tables)[number], Record<string, SQLInputValue>[]>

/** A server's intake without HTTP, and the rows that an upload has created. */
interface Intake {
  context: AppContext
  /** The CPU milliseconds of the database's own processes. */
  readDatabaseCpu: () => number
}

await using folder = await openTemporaryFolder()
const report = join(folder.path, 'report.xml')
writeReport(report, 10_000_000)

async function open(name: string, databaseUrl: string | null): Promise<Intake> {
  const config = readConfig({
    FAIRLEAD_DATA_DIR: join(folder.path, name),
    FAIRLEAD_PORT: String(await findFreePort()),
    FAIRLEAD_LOG_LEVEL: 'silent',
    FAIRLEAD_INITIAL_API_TOKEN: 'fl_token-of-the-bench-0123456789abcdefghij',
    ...(databaseUrl !== null && { FAIRLEAD_DATABASE_URL: databaseUrl }),
  })
  await (await serve(config)).close() // The first start creates the workspace.
  const context = await openContext(config)
  const values = {
    workspace_id: 1,
    alias: 'bench',
    name: 'Bench',
    platform: 'android',
    created_at: Date.now(),
  } as const
  await context.db.insertInto('applications').values(values).execute()
  const main = databaseUrl === null ? 0 : await findPostmaster(databaseUrl)
  return { context, readDatabaseCpu: () => (main === 0 ? 0 : readFamilyCpu(main)) }
}

/**
 * Stores the report in a new run. Returns the CPU milliseconds of everything, and of storing what the reader has read:
 * rows in the database, and files in the blob store.
 */
async function upload({ context, readDatabaseCpu }: Intake, key: string): Promise<{ whole: number; stored: number }> {
  const headers = {
    alias: 'bench',
    branch: 'main',
    commit: key,
    baseCommit: null,
    ciUrl: null,
    key,
    attempt: 1,
    shard: null,
    suite: null,
    buildId: null,
    skipBroken: false,
  }
  const { staging } = context.blobs
  const application = await requireApplicationByAlias(context, 1, 'bench')
  // The reader's process is a child of this one.
  const readWhole = () => readOwnCpu() + readFamilyCpu(process.pid) + readDatabaseCpu()
  const before = readWhole()
  const limits = { maxBytes: 2 ** 30, idleMs: 60_000, announcedSize: undefined }
  const staged = await staging.receive(createReadStream(report), limits)
  await using out = await staging.openFolder(0)
  const summary = await context.readers.reports.readReports(staged.path, out.path, { scope: String(application.id) })
  const beforeStoring = readOwnCpu() + readDatabaseCpu()
  await storeReport(context, application, headers, staged, summary)
  const stored = readOwnCpu() + readDatabaseCpu() - beforeStoring
  const whole = readWhole() - before
  await staging.discard(staged)
  return { whole, stored }
}

async function readRows({ context }: Intake, key: string): Promise<Rows> {
  const { db } = context
  const { id } = await db.selectFrom('test_runs').select('id').where('run_key', '=', key).executeTakeFirstOrThrow()
  const read = (table: (typeof tables)[number]) => db.selectFrom(table).selectAll().where('run_id', '=', id).execute()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every column holds a text, a number or null
  const [results, failures] = [await read('test_results'), await read('test_failures')] as [never[], never[]]
  return { test_results: results, test_failures: failures }
}

/** Opens an empty database with the tables and indexes of the server's. */
function openBare(name: string): DatabaseSync {
  using source = new DatabaseSync(join(folder.path, name, 'fairlead.db'), { readOnly: true })
  const bare = new DatabaseSync(join(folder.path, `${name}.db`), { enableForeignKeyConstraints: false })
  bare.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536')
  const statements = source.prepare("select sql from sqlite_schema where tbl_name in ('test_results', 'test_failures')")
  for (const { sql } of statements.all()) if (sql !== null) bare.exec(String(sql))
  return bare
}

/** Inserts rows, and returns the CPU milliseconds. */
function insertBare(bare: DatabaseSync, rows: Rows): number {
  const before = readOwnCpu()
  bare.exec('begin immediate')
  for (const table of tables) {
    const columns = Object.keys(rows[table][0] ?? {})
    const places = columns.map(() => '?').join(', ')
    const insert = bare.prepare(`insert into ${table} (${columns.join(', ')}) values (${places})`)
    for (const row of rows[table]) insert.run(...Object.values(row))
  }
  bare.exec('commit')
  return readOwnCpu() - before
}

/** Empties copies of the tables, without foreign keys, and returns a client of their database. */
async function openBarePostgres(url: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  for (const table of tables) {
    await client.query(`drop table if exists bare_${table}`)
    await client.query(`create table bare_${table} (like ${table} including all)`)
  }
  return client
}

/** Inserts rows into PostgreSQL, and returns the CPU milliseconds of both sides. */
async function insertBarePostgres({ readDatabaseCpu }: Intake, url: string, rows: Rows, isBulk: boolean) {
  const client = await openBarePostgres(url)
  const types = new Map<string, string>()
  const found = await client.query<{ name: string; type: string }>(
    `select table_name || '.' || column_name as name, data_type as type from information_schema.columns
     where table_name in ('test_results', 'test_failures')`,
  )
  for (const { name, type } of found.rows) types.set(name, type)
  const before = readOwnCpu() + readDatabaseCpu()
  await client.query('begin')
  for (const table of tables) {
    const columns = Object.keys(rows[table][0] ?? {})
    const places = columns.map(
      (column, index) => `$${index + 1}${isBulk ? `::${types.get(`${table}.${column}`)}[]` : ''}`,
    )
    const source = isBulk ? `select * from unnest(${places.join(', ')})` : `values (${places.join(', ')})`
    const text = `insert into bare_${table} (${columns.join(', ')}) overriding system value ${source}`
    const insert = (values: unknown[]) => client.query({ name: `bare ${table} ${isBulk}`, text, values })
    if (isBulk) await insert(columns.map((column) => rows[table].map((row) => row[column] ?? null)))
    else for (const row of rows[table]) await insert(Object.values(row))
  }
  await client.query('commit')
  const time = readOwnCpu() + readDatabaseCpu() - before
  await client.end()
  return time
}

function readOwnCpu(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Returns the CPU milliseconds of the processes that a process has started, also of those that have ended. */
function readFamilyCpu(parent: number): number {
  const stats = readdirSync('/proc').flatMap((pid) => (Number(pid) > 0 ? [readStat(Number(pid))] : []))
  const children = stats.filter(([, parentPid]) => parentPid === parent)
  const own = readStat(parent)
  const ended = requireAt(own, 13) + requireAt(own, 14)
  const ticks = children.reduce((sum, stat) => sum + requireAt(stat, 11) + requireAt(stat, 12), ended)
  return (ticks * microsecondsPerTick) / 1000
}

/** Reads the fields of /proc/PID/stat after the name; none if the process has ended. */
function readStat(pid: number): number[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
  } catch {
    return []
  }
}

async function findPostmaster(url: string): Promise<number> {
  await using client = await openPostgresClient(url)
  const own = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return requireAt(readStat(requireAt(own, 0).pid), 1)
}

using postgres = await startPostgres()
const intakes = new Map([['SQLite', await open('sqlite', null)]])
if (postgres) intakes.set('PostgreSQL', await open('postgres', postgres.url))
using bare = openBare('sqlite')
const times = new Map<string, number[]>()
const add = (name: string, time: number) => times.set(name, [...(times.get(name) ?? []), time])
for (let round = -1; round < rounds; round++) {
  const rowsOf = new Map<string, Rows>()
  for (const [engine, intake] of intakes) {
    const { whole, stored } = await upload(intake, `run ${round}`)
    rowsOf.set(engine, await readRows(intake, `run ${round}`))
    if (round < 0) continue // The first round creates the tests and warms up.
    add(`${engine}: stored`, stored)
    add(`${engine}: received, read and stored`, whole)
  }
  const time = insertBare(bare, requireKey(rowsOf, 'SQLite'))
  if (round < 0) continue
  add('SQLite: bare, a statement for each row', time)
  if (!postgres) continue
  const [intake, rows] = [requireKey(intakes, 'PostgreSQL'), requireKey(rowsOf, 'PostgreSQL')]
  add('PostgreSQL: bare, a statement for each row', await insertBarePostgres(intake, postgres.url, rows, false))
  add('PostgreSQL: bare, a statement for each table', await insertBarePostgres(intake, postgres.url, rows, true))
}
for (const { context } of intakes.values()) await context[Symbol.asyncDispose]()
const medians = new Map([...times].map(([name, values]) => [name, median(values)]))
const compare = (name: string, peer: string) => {
  const [time, own] = [medians.get(name), medians.get(peer)]
  return time === undefined || own === undefined ? '' : (own / time).toFixed(2)
}
const lines = [...times].map(([name, values]) => {
  const engine = name.slice(0, name.indexOf(':'))
  return [
    name,
    `${requireKey(medians, name).toFixed(0)} ms`,
    values.map((value) => value.toFixed(0)).join(', '),
    compare(name, `${engine}: bare, a statement for each row`),
    compare(name, `${engine}: bare, a statement for each table`),
    compare(name, 'SQLite: bare, a statement for each row'),
  ]
})
printTable(
  ['intake of 20,000 cases', 'CPU time', 'rounds', 'bare rows (wanted: ≥ 0.4)', 'bare tables', 'bare rows of SQLite'],
  lines,
)
const addAim = (engine: string, peer: string) => {
  const [time, own] = [requireKey(medians, `${engine}: stored`), requireKey(medians, peer)]
  recordAim({
    aim: `${engine}: store 20,000 cases, beside ${peer}`,
    measured: `${time.toFixed(0)} and ${own.toFixed(0)} ms`,
    figure: own / time,
    atLeast: 0.4,
  })
}
const bareRows = 'bare, a statement for each row'
for (const engine of intakes.keys())
  for (const peer of new Set([engine, 'SQLite'])) addAim(engine, `${peer}: ${bareRows}`)
