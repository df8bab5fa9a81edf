/**
 * Finds statements that become slow with the number of rows. It fills both databases with a million builds, crashes,
 * test results, audit events and so on, calls every route and chore, and then runs each statement that it saw again,
 * with its plan and in a transaction that is rolled back. It prints those that read thousands of rows or take long.
 *
 *     node bench/query-plans.ts [sqlite|postgres]      # BENCH_BUILDS makes it smaller
 */
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, StatementSync } from 'node:sqlite'
import { writeApk } from '@fairlead/binary/fixture'
import { Client } from 'pg'
import { sweepOrphans } from '../apps/server/src/blobs/records.ts'
import { deleteOldBuilds } from '../apps/server/src/chores/retention.ts'
import { sweepExpired } from '../apps/server/src/chores/sweep.ts'
import { readConfig } from '../apps/server/src/config.ts'
import { deleteOldCrashes } from '../apps/server/src/crashes/retention.ts'
import { openContext } from '../apps/server/src/open-context.ts'
import { serve } from '../apps/server/src/serve.ts'
import { listWorkspaceRecords } from '../apps/server/src/server-admin/store.ts'
import { deleteOldTestResults } from '../apps/server/src/test-verdicts/retention.ts'
import { sweepUnpublishedReports } from '../apps/server/src/test-results/sweep.ts'
import { expireUploads } from '../apps/server/src/uploads/expire.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { createEnvelope } from './crash-envelope.ts'
import { insertBuilds } from './fill-builds.ts'
import { fillTables } from './fill-tables.ts'
import { openFilledDatabase } from './filled-database.ts'
import { openTemporaryFolder } from './processes.ts'
import { printTableSizes } from './table-sizes.ts'
import { readJson } from '../scripts/read-json.ts'
import { findFreePort } from '../scripts/free-port.ts'

const token = 'fl_token-of-the-bench-0123456789abcdefghij'
const count = Number(process.env.BENCH_BUILDS ?? 1_000_000)
/** A statement that reads more rows than this, or takes longer, is printed. */
const rowLimit = 5000
const timeLimitMs = 20
const rounds = 3

/** Searches and filters of lists, by route. */
const queries: Record<string, string[]> = {
  '/v1/applications/{applicationId}/builds': [
    'q=1.77',
    'q=no-such-text',
    'version=77',
    'version=none',
    'shortVersion=1.77',
    'branch=main',
    'branch=feature/70',
    'branch=none',
    'branchPrefix=feature/',
    'branchPrefix=none',
    'distributionGroupName=Rare',
    'distributionGroupName=QA',
    'distributionGroupName=none',
    'branch=main&q=zzz',
    'limit=1000',
    `cursor=${count >> 1}`,
  ],
  '/v1/auditEvents': ['action=token', 'action=member'],
  '/v1/applications/{applicationId}/tests': ['q=test%2077', 'q=none', 'state=flaky', 'state=failing', 'state=slow'],
  '/v1/applications/{applicationId}/testRuns': ['branch=main', 'branch=none', 'commit=c0ffee', 'key=1'],
  '/v1/testRuns/{testRunId}/results': ['outcome=failed', 'classification=new'],
  '/v1/applications/{applicationId}/crashGroups': [
    'status=open',
    'status=resolved',
    'q=Error%2077',
    'q=none',
    'version=2.77',
    'buildId=1',
    'sort=crashes',
    'sort=installs',
    'sort=firstSeen',
  ],
  '/v1/applications/{applicationId}/stability': ['version=2.77'],
}

await using folder = await openTemporaryFolder()
using postgres = await startPostgres()

interface Seen {
  values: unknown[]
  /** The first call that ran the statement. */
  caller: string
}
const statements = new Map<string, Seen>()
let caller = 'start'
const see = (text: string, values: unknown[]) => {
  statements.set(text, { values, caller: statements.get(text)?.caller ?? caller })
}

for (const method of ['all', 'run'] as const) {
  // The method is called with its object below.
  const original = StatementSync.prototype[method]
  // Both methods take the values of the statement, and their result is passed on as it is.
  StatementSync.prototype[method] = function (this: StatementSync, ...values: unknown[]) {
    see(this.sourceSQL, values)
    return Reflect.apply(original, this, values)
  }
}
// oxlint-disable-next-line typescript/unbound-method
const query = Client.prototype.query
// The method has many overloads; the server only calls it with a text and its values.
Client.prototype.query = function (this: Client, ...args: unknown[]) {
  if (typeof args[0] === 'string') see(args[0], Array.isArray(args[1]) ? args[1] : [])
  return Reflect.apply(query, this, args)
}

const databases = { sqlite: null, ...(postgres && { postgres: postgres.url }) }
for (const [engine, databaseUrl] of Object.entries(databases)) {
  if (![undefined, engine].includes(process.argv[2])) continue
  const dataDir = join(folder.path, engine)
  const config = readConfig({
    FAIRLEAD_DATA_DIR: dataDir,
    FAIRLEAD_PORT: String(await findFreePort()),
    FAIRLEAD_LOG_LEVEL: 'silent',
    FAIRLEAD_INITIAL_API_TOKEN: token,
    FAIRLEAD_METRICS_TOKEN: token,
    ...(databaseUrl !== null && { FAIRLEAD_DATABASE_URL: databaseUrl }),
  })
  const path = databaseUrl ?? join(dataDir, 'fairlead.db')
  await sendFirst(config)
  const started = performance.now()
  const buildId = await fill(path)
  statements.clear()
  console.log(`\n# ${databaseUrl === null ? 'SQLite' : 'PostgreSQL'}, ${count} builds\n`)
  console.log(`filled in ${Math.round((performance.now() - started) / 1000)} s`)
  await callEverything(config, buildId)
  await runChores(config)
  const seen = [...statements].filter(([text]) => /^\s*(select|update|delete|insert|with)/i.test(text))
  console.log(`\n${seen.length} statements\n`)
  if (databaseUrl === null) explainSqlite(path, seen)
  else await explainPostgres(databaseUrl, seen)
}

async function fill(path: string): Promise<number> {
  await using database = await openFilledDatabase(path)
  const buildId = await insertBuilds(database, count)
  await fillTables(database, count)
  await printTableSizes(database)
  return buildId
}

type Config = ReturnType<typeof readConfig>
type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<string>

/** Starts a server and returns a function that calls it and prints calls that take much CPU time. */
async function start(config: Config): Promise<{ call: Call; close: () => Promise<void> }> {
  const server = await serve(config)
  const call: Call = async (method, path, body, headers = {}) => {
    caller = `${method} ${path}`
    const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array
    const before = process.cpuUsage()
    const answer = await fetch(server.url + path, {
      method,
      headers: {
        // A statement may hold the process for longer than a connection is kept.
        Connection: 'close',
        'X-Service-Token': token,
        ...(!isRaw && { 'Content-Type': 'application/json' }),
        ...(path === '/metrics' && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      // Nothing else than text and bytes is raw.
      ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
    }).catch((error: unknown) => {
      console.log(`${caller}: ${String(error)}, ${String(error instanceof Error && error.cause)}`)
    })
    if (!answer) return ''
    const text = await answer.text()
    const { user, system } = process.cpuUsage(before)
    const ms = (user + system) / 1000
    if (answer.status >= 500 || ms > 100) console.log(`${Math.round(ms)} ms CPU, ${answer.status}: ${caller}`)
    return answer.headers.get('location') ?? text
  }
  return { call, close: () => server.close() }
}

/** Sends one build, crash and test report, whose rows are copied then. */
async function sendFirst(config: Config): Promise<void> {
  const { call, close } = await start(config)
  await call('POST', '/v1/applications', { name: 'Bench', alias: 'bench', platform: 'android' })
  const alias = { 'X-Service-Application-Alias': 'bench' }
  await call('POST', '/v2/builds', writeApk({ packageName: 'com.example.bench' }), alias)
  const { key } = readJson<{ key: string }>(await call('POST', '/v1/applications/1/crashKeys', { name: 'Bench' }))
  await call('POST', `/api/1/envelope/?sentry_key=${key}`, createEnvelope(1).plain)
  const flaky = '<flakyFailure message="late" type="Error"/>'
  const report = (inner: string) =>
    `<testsuite name="unit"><testcase name="a" classname="A" time="1">${inner}</testcase></testsuite>`
  for (const [run, inner] of ['<failure message="no" type="Error">at A.a(A.kt:1)</failure>', '', flaky].entries()) {
    await call('POST', '/v1/testReports', report(inner), {
      ...alias,
      'X-Service-Run-Key': String(run),
      'X-Service-Branch': 'main',
      'X-Service-Commit': 'c0ffee',
    })
    await call('POST', `/v1/testRuns/${run + 1}/complete`)
  }
  for (;;) {
    const intake = readJson<{ pendingCount: number }>(await call('GET', '/v1/applications/1/crashIntake'))
    if (intake.pendingCount === 0) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await close()
}

async function callEverything(config: Config, id: number): Promise<void> {
  const { call, close } = await start(config)
  type Operation = { requestBody?: { content: Record<string, { example?: unknown }> } }
  const { paths } = readJson<{
    paths: Record<string, Record<string, Operation>>
  }>(await call('GET', '/openapi.json'))
  const isLong = (path: string) => /export|applicationId\}$|applications$/.test(path)
  const fillIn = (path: string, number: number) =>
    path.replace('{buildId}', String(id)).replaceAll(/\{\w+\}/g, String(number))
  for (const [path, operations] of Object.entries(paths)) {
    if (!('get' in operations) || path.includes('binary')) continue
    for (const search of ['limit=50', ...(queries[path] ?? []).map((text) => `limit=50&${text}`)]) {
      await call('GET', `${fillIn(path, 1)}?${search}`)
    }
  }
  for (const path of ['/metrics', '/readyz', `/v1/applications/2`]) await call('GET', path)
  for (const [path, operations] of Object.entries(paths)) {
    for (const method of ['post', 'put', 'patch']) {
      const example = operations[method]?.requestBody?.content['application/json']?.example
      if (!(method in operations) || /session|setup|workspace|account|twoFactor|discard/i.test(path)) continue
      await call(method.toUpperCase(), fillIn(path, 3), example)
    }
  }
  const alias = { 'X-Service-Application-Alias': 'bench' }
  const apk = writeApk({ packageName: 'com.example.bench', versionCode: 7 })
  await call('POST', '/v2/builds', apk, { ...alias, 'Idempotency-Key': 'once' })
  const upload = { ...alias, 'Tus-Resumable': '1.0.0', 'Upload-Length': String(apk.length) }
  const part = { 'Tus-Resumable': '1.0.0', 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' }
  const location = new URL(await call('POST', '/v2/uploads', undefined, upload), 'http://localhost').pathname
  await call('PATCH', location, apk, part)
  await call('POST', `/v1/builds/${id}/distribute`, { distributionGroupNames: ['QA'], notifyTesters: true })
  await call('POST', '/v1/testReports', '<testsuite name="u"><testcase name="b" classname="B"/></testsuite>', alias)
  const link = readJson<{ installUrl?: string }>(await call('GET', `/v1/builds/${id}`))
  await call('GET', new URL(link.installUrl ?? '/', 'http://localhost').pathname)
  await call('DELETE', '/v1/applications/1/crashes?installId=install-77')
  for (const [path, operations] of Object.entries(paths)) {
    if (!('delete' in operations) || isLong(path) || /session|account|twoFactor/i.test(path)) continue
    await call('DELETE', fillIn(path, 4))
  }
  // Jobs that the calls above have enqueued run meanwhile.
  caller = 'jobs'
  await new Promise((resolve) => setTimeout(resolve, 5000))
  await close()
}

async function runChores(config: Config): Promise<void> {
  await using context = await openContext(config)
  const now = Date.now()
  const { signal } = new AbortController()
  const chores: Record<string, () => Promise<unknown>> = {
    sweepExpired: () => sweepExpired(context.db, now),
    sweepUnpublishedReports: () => sweepUnpublishedReports(context.db, now),
    expireUploads: () => expireUploads(context, now),
    sweepOrphans: () => sweepOrphans(context, now),
    deleteOldBuilds: () => deleteOldBuilds(context, now, signal),
    deleteOldCrashes: () => deleteOldCrashes(context, now, AbortSignal.timeout(2000)),
    deleteOldTestResults: () => deleteOldTestResults(context, now, AbortSignal.timeout(2000)),
    listWorkspaceRecords: () => listWorkspaceRecords(context.db, now),
  }
  for (const [name, run] of Object.entries(chores)) {
    caller = name
    const before = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(before)
    if (user + system > 200_000) console.log(`${Math.round((user + system) / 1000)} ms CPU: ${name}`)
  }
}

interface Finding {
  ms: number
  rows: number | undefined
  plan: string[]
}

function report(text: string, { caller }: Seen, { ms, rows, plan }: Finding): void {
  const read = rows === undefined ? '' : `, ${rows} rows`
  console.log(`${ms.toFixed(1)} ms${read}: ${caller}\n  ${text}\n${plan.map((line) => `    ${line}`).join('\n')}\n`)
}

function explainSqlite(path: string, seen: [string, Seen][]): void {
  using database = new DatabaseSync(path)
  database.exec('pragma foreign_keys = on; pragma cache_size = -100000')
  for (const [text, one] of seen) {
    const plan = database.prepare(`explain query plan ${text}`).all()
    const details = plan.map(({ detail }) => String(detail))
    const hasScan = details.some((detail) => isScan(database, text, detail))
    const statement = database.prepare(text)
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      database.exec('begin')
      const before = process.cpuUsage()
      try {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server passed them
        statement.all(...(one.values as SQLInputValue[]))
      } catch {
        // The row is already there.
      }
      const { user, system } = process.cpuUsage(before)
      times.push((user + system) / 1000)
      database.exec('rollback')
    }
    const ms = Math.min(...times)
    if (hasScan || ms > timeLimitMs) report(text, one, { ms, rows: undefined, plan: details })
  }
}

/** Tells whether a line of a plan reads a whole large table. The line may name the table by its alias. */
function isScan(database: DatabaseSync, text: string, detail: string): boolean {
  const name = /^SCAN (\w+)/.exec(detail)?.[1]
  if (name === undefined || name === 'CONSTANT') return false
  const table = new RegExp(`"(\\w+)" as "${name}"`, 'i').exec(text)?.[1] ?? name
  const exists = database.prepare(`select 1 from sqlite_master where type = 'table' and name = ?`).get(table)
  if (!exists) return false
  const found = database.prepare(`select count(*) as count from (select 1 from "${table}" limit ${rowLimit})`).get()
  return Number(found?.['count']) >= rowLimit
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

async function explainPostgres(url: string, seen: [string, Seen][]): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('analyze')
  for (const [text, one] of seen) {
    let best: Finding | undefined
    for (let round = 0; round < rounds; round++) {
      await client.query('begin')
      const explained = await client
        .query<{ 'QUERY PLAN': [{ Plan: PlanNode; 'Execution Time': number }] }>(
          `explain (analyze, buffers, format json) ${text}`,
          one.values,
        )
        // The row is already there.
        .catch(() => undefined)
      await client.query('rollback')
      const [top] = explained?.rows[0]?.['QUERY PLAN'] ?? []
      if (!top || (best && best.ms <= top['Execution Time'])) continue
      best = {
        ms: top['Execution Time'],
        rows: Math.max(...eachNode(top.Plan).map(countRead)),
        plan: toLines(top.Plan),
      }
    }
    if (best && (best.ms > timeLimitMs || (best.rows ?? 0) > rowLimit)) report(text, one, best)
  }
  await client.end()
}

function eachNode(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(eachNode)]
}

function countRead(node: PlanNode): number {
  return (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
}

function toLines(node: PlanNode, depth = 0): string[] {
  const blocks = node['Shared Hit Blocks'] + node['Shared Read Blocks']
  const name = [node['Node Type'], node['Relation Name'], node['Index Name']].filter(Boolean).join(' ')
  const line = `${'  '.repeat(depth)}${name}: ${countRead(node)} rows, ${blocks} blocks`
  return [line, ...(node.Plans ?? []).flatMap((plan) => toLines(plan, depth + 1))]
}
