/**
 * Lists the statements that read a whole large table. It fills both databases with a million builds, calls the routes
 * and chores that list, get, search, change and sweep them, and asks the database for the plan of each statement.
 *
 *     node bench/query-plans.ts            # BENCH_BUILDS makes it smaller
 */
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { Client } from 'pg'
import { sweepOrphans } from '../apps/server/src/blobs/records.ts'
import { deleteOldBuilds } from '../apps/server/src/chores/retention.ts'
import { sweepExpired } from '../apps/server/src/chores/sweep.ts'
import { readConfig } from '../apps/server/src/config.ts'
import { openContext } from '../apps/server/src/open-context.ts'
import { serve } from '../apps/server/src/serve.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { fillBuilds } from './fill-builds.ts'
import { fillPostgres } from './fill-postgres.ts'
import { findFreePort, openTemporaryFolder } from './processes.ts'

const token = 'fl_token-of-the-bench-0123456789abcdefghij'
const count = Number(process.env.BENCH_BUILDS ?? 1_000_000)
/** Statements may read whole tables that have fewer rows than this. */
const smallRows = 5000

await using folder = await openTemporaryFolder()
using postgres = await startPostgres()

const statements = new Map<string, unknown[]>()
// Both methods are called with their object below.
// oxlint-disable-next-line typescript/unbound-method
const prepare = DatabaseSync.prototype.prepare
DatabaseSync.prototype.prepare = function (this: DatabaseSync, text: string) {
  statements.set(text, [])
  return prepare.call(this, text)
}
// oxlint-disable-next-line typescript/unbound-method
const query = Client.prototype.query
// The method has many overloads; the server only calls it with a text and its values.
Client.prototype.query = function (this: Client, ...args: unknown[]) {
  if (typeof args[0] === 'string') statements.set(args[0], Array.isArray(args[1]) ? args[1] : [])
  return Reflect.apply(query, this, args) as never
}

for (const databaseUrl of postgres ? [null, postgres.url] : [null]) {
  const dataDir = join(folder.path, databaseUrl === null ? 'sqlite' : 'postgres')
  const config = readConfig({
    FAIRLEAD_DATA_DIR: dataDir,
    FAIRLEAD_PORT: String(await findFreePort()),
    FAIRLEAD_LOG_LEVEL: 'silent',
    FAIRLEAD_INITIAL_API_TOKEN: token,
    ...(databaseUrl !== null && { FAIRLEAD_DATABASE_URL: databaseUrl }),
  })
  await (await serve(config)).close()
  const path = join(dataDir, 'fairlead.db')
  const buildId = databaseUrl === null ? fillBuilds(path, count) : await fillPostgres(databaseUrl, count)
  statements.clear()
  await callEverything(config, buildId)
  const seen = new Map(statements)
  console.log(`\n# ${databaseUrl === null ? 'SQLite' : 'PostgreSQL'}: ${seen.size} statements, ${count} builds\n`)
  if (databaseUrl === null) explainSqlite(path, seen)
  else await explainPostgres(databaseUrl, seen)
}

async function callEverything(config: ReturnType<typeof readConfig>, id: number): Promise<void> {
  const server = await serve(config)
  const call = async (method: string, path: string, json?: unknown) => {
    const headers = { 'X-Service-Token': token, ...(json !== undefined && { 'Content-Type': 'application/json' }) }
    const body = json === undefined ? {} : { body: JSON.stringify(json) }
    const answer = await fetch(server.url + path, { method, headers, ...body })
    const text = await answer.text()
    if (answer.status >= 500) console.log(`${method} ${path}: ${answer.status} ${text}`)
    return answer
  }
  const description = await fetch(`${server.url}/openapi.json`)
  const { paths } = (await description.json()) as { paths: Record<string, Record<string, unknown>> }
  for (const [path, operations] of Object.entries(paths)) {
    if (!('get' in operations) || path.includes('binary')) continue
    const own = path.replace(/\{buildId\}/, String(id)).replaceAll(/\{\w+\}/g, '1')
    await call('GET', own)
    await call('GET', `${own}?limit=50&search=1.77&query=1.77&branch=main&sort=name`)
  }
  for (const search of [
    'search=Filled',
    'search=zzz',
    'version=77',
    'branch=main',
    'commit=abc',
    'group=1',
    'limit=1000',
  ]) {
    await call('GET', `/v1/applications/1/builds?${search}`)
  }
  await call('PATCH', `/v2/builds/${id}`, { releaseNotes: 'Notes' })
  await call('DELETE', `/v1/builds/${id}`)
  await server.close()
  await using context = await openContext(config)
  await sweepExpired(context.db, Date.now())
  await sweepOrphans(context, Date.now())
  await deleteOldBuilds(context, Date.now(), AbortSignal.timeout(60_000))
}

function explainSqlite(path: string, seen: Map<string, unknown[]>): void {
  using database = new DatabaseSync(path)
  for (const text of seen.keys()) {
    if (!/^\s*(select|update|delete|insert|with)/i.test(text)) continue
    const plan = prepare.call(database, `explain query plan ${text}`).all() as { detail: string }[]
    for (const { detail } of plan) {
      const table = /^SCAN (\w+)/.exec(detail)?.[1]
      if (table !== undefined && isLarge(database, table)) console.log(`${detail}: ${text}\n`)
    }
  }
}

/** An alias counts as large, because only the statement knows its table. */
function isLarge(database: DatabaseSync, table: string): boolean {
  try {
    const found = prepare.call(database, `select count(*) as count from (select 1 from "${table}" limit ?)`)
    return Number(found.get(smallRows)?.['count']) >= smallRows
  } catch {
    return true
  }
}

async function explainPostgres(url: string, seen: Map<string, unknown[]>): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  for (const [text, values] of seen) {
    if (!/^\s*(select|update|delete|insert|with)/i.test(text)) continue
    const explained = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values).catch(() => undefined)
    for (const { 'QUERY PLAN': line } of explained?.rows ?? []) {
      const rows = Number(/Seq Scan on .*rows=(\d+)/.exec(line)?.[1] ?? 0)
      const cost = Number(/Seq Scan on .*\.\.([\d.]+) rows/.exec(line)?.[1] ?? 0)
      if (rows >= smallRows || cost > 1000) console.log(`${line.trim()}: ${text}\n`)
    }
  }
  await client.end()
}
