/**
 * Finds statements that become slow with the number of rows. It fills both databases with a million builds, crashes,
 * test results, audit events and so on, calls every route and chore, and then runs each statement that it saw again,
 * with its plan and in a transaction that is rolled back. It prints those that read thousands of rows or take long.
 *
 *     node bench/query-plans.ts [sqlite|postgres]      # BENCH_BUILDS makes it smaller
 */
import { join } from 'node:path'
import { sweepOrphans } from '../apps/server/src/blobs/records.ts'
import { sweepExpired } from '../apps/server/src/chores/sweep.ts'
import { type Config, readConfig } from '../apps/server/src/config.ts'
import { deleteOldCrashes } from '../apps/server/src/crash-reading/retention.ts'
import { openContext } from '../apps/server/src/open-context.ts'
import { purgeOldTrash } from '../apps/server/src/retention/empty-trash.ts'
import { listWorkspaceRecords } from '../apps/server/src/server-admin/store.ts'
import { deleteOldTestResults } from '../apps/server/src/test-verdicts/retention.ts'
import { sweepUnpublishedReports } from '../apps/server/src/test-results/sweep.ts'
import { expireUploads } from '../apps/server/src/uploads/expire.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { callEverything, sendFirst } from './call-everything.ts'
import { explainPostgres, explainSqlite } from './explain-plans.ts'
import { insertBuilds } from './fill-builds.ts'
import { fillTables } from './fill-tables.ts'
import { openFilledDatabase } from './filled-database.ts'
import { openTemporaryFolder } from './processes.ts'
import { watchStatements } from './seen-statements.ts'
import { printTableSizes } from './table-sizes.ts'
import { findFreePort } from '../scripts/free-port.ts'

const token = 'fl_token-of-the-bench-0123456789abcdefghij'
const count = Number(process.env.BENCH_BUILDS ?? 1_000_000)
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

const seen = watchStatements()
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
  const called = { config, token, seen, queries }
  await sendFirst(called)
  const started = performance.now()
  const buildId = await fill(path)
  seen.byText.clear()
  console.log(`\n# ${databaseUrl === null ? 'SQLite' : 'PostgreSQL'}, ${count} builds\n`)
  console.log(`filled in ${Math.round((performance.now() - started) / 1000)} s`)
  await callEverything(called, buildId)
  await runChores(config)
  const statements = [...seen.byText].filter(([text]) => /^\s*(select|update|delete|insert|with)/i.test(text))
  console.log(`\n${statements.length} statements\n`)
  if (databaseUrl === null) explainSqlite(path, statements)
  else await explainPostgres(databaseUrl, statements)
}

async function fill(path: string): Promise<number> {
  await using database = await openFilledDatabase(path)
  const buildId = await insertBuilds(database, count)
  await fillTables(database, count)
  await printTableSizes(database)
  return buildId
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
    deleteOldBuilds: () => purgeOldTrash(context, { now: now, trashDays: 7 }, signal),
    deleteOldCrashes: () => deleteOldCrashes(context, now, AbortSignal.timeout(2000)),
    deleteOldTestResults: () => deleteOldTestResults(context, now, AbortSignal.timeout(2000)),
    listWorkspaceRecords: () => listWorkspaceRecords(context.db, now),
  }
  for (const [name, run] of Object.entries(chores)) {
    seen.caller = name
    const before = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(before)
    if (user + system > 200_000) console.log(`${Math.round((user + system) / 1000)} ms CPU: ${name}`)
  }
}
