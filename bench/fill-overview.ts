import { digits, type FilledDatabase, fillWithoutIndexes, findHighestId, numbers } from './filled-database.ts'
import { insertBuilds } from './fill-builds.ts'
import { listFillStatements } from './fill-tests.ts'

const dayMs = 86_400_000
/** A run has this many results, and a crash stack this many crashes. */
const [resultsOfRun, crashesOfStack] = [1000, 100]

/**
 * Fills a server's database with an application of so many crashes, results and builds. All crash groups are new and
 * open, each release of the last days has sessions, every stack waits for symbols, and builds have runs: the more there
 * is, the more a query would read that scans. The database must be one that a server has just created.
 */
export async function fillOverview(
  database: FilledDatabase,
  { crashes, results, builds }: { crashes: number; results: number; builds: number },
): Promise<void> {
  await insertBuilds(database, builds)
  await fillTests(database, results, builds)
  await fillCrashes(database, crashes, builds)
}

async function fillTests(database: FilledDatabase, results: number, builds: number): Promise<void> {
  const override = database.engine === 'postgres' ? 'overriding system value' : ''
  const history = { applicationId: 1, runs: results / resultsOfRun, tests: resultsOfRun }
  await fillWithoutIndexes(database, 'test_results', async () => {
    for (const statement of listFillStatements(history, { override })) await database.run(statement)
  })
  const newest = await findHighestId(database, 'test_runs')
  await database.run(`update test_runs set build_id = ${builds} - (${newest} - id) where ${newest} - id < ${builds}`)
}

async function fillCrashes(database: FilledDatabase, crashes: number, builds: number): Promise<void> {
  const now = Date.now()
  const today = Math.floor(now / dayMs)
  const stacks = crashes / crashesOfStack
  const groups = Math.ceil(stacks / 2)
  const unique = digits(database)
  const override = database.engine === 'postgres' ? 'overriding system value' : ''
  const empty = database.engine === 'postgres' ? `''::bytea` : `x''`
  const add = (table: string, columns: string, count: number, values: string) =>
    database.run(`insert into ${table} (${columns}) ${override} ${numbers(count)} select ${values} from numbers`)
  await add(
    'releases',
    'id, application_id, package, short_version, version, environment, first_seen_at',
    builds,
    `n, 1, 'com.example.bench', '1.' || (n / 100), cast(n as text), 'production', ${now} - n`,
  )
  await add(
    'crash_groups',
    `id, application_id, kind, title, exception_types, key, skipped_frames, status, crash_count, install_count,
     first_seen_at, last_seen_at, first_release_id, last_release_id, created_at`,
    groups,
    `n, 1, 'crash', 'Error ' || n, '["Error"]', '["key"]', '[]', 'open', 1 + n % 997, 1 + n % 97,
     ${now} - n % 14 * ${dayMs}, ${now} - n, 1 + n % ${builds}, 1 + n % ${builds}, ${now}`,
  )
  await add(
    'crash_stacks',
    `id, application_id, hash, group_id, key_hash, content, resolved, crash_count, first_seen_at, last_seen_at,
     created_at`,
    stacks,
    `n, 1, ${unique}, 1 + n % ${groups}, ${unique}, ${empty}, ${empty}, ${crashesOfStack}, ${now}, ${now}, ${now}`,
  )
  const line = database.engine === 'postgres' ? 'chr(10)' : 'char(10)'
  await add(
    'crash_waits',
    'stack_id, application_id, kind, ref, release_id, is_needed, is_found',
    stacks,
    `n, 1, 'proguard', 'v:com.example.bench' || ${line} || '1.0' || ${line} || (n % 50), 1 + n % ${builds}, 1, 0`,
  )
  await fillWithoutIndexes(database, 'crashes', () =>
    add(
      'crashes',
      'id, application_id, stack_id, source, source_id, kind, is_fatal, occurred_at, received_at, release_id',
      crashes,
      `n, 1, 1 + n % ${stacks}, 'sentry', ${unique}, 'crash', 1, ${now} - n, ${now} - n, 1 + n % ${builds}`,
    ),
  )
  await add(
    'crash_days',
    'stack_id, release_id, day, count',
    stacks * 10,
    `1 + n % ${stacks}, 1 + n % ${builds}, ${today} - n / ${stacks}, 10`,
  )
  // A hundredth of all releases is used on each day, but no fewer than ten.
  const used = Math.max(10, builds / 100)
  await add(
    'session_days',
    'application_id, release_id, day, started_count, crashed_count',
    used * 28,
    `1, ${builds} - n % ${used}, ${today} - (n - 1) / ${used}, 1000 + n % 101, n % 7`,
  )
  await database.run(
    `insert into session_totals (application_id, environment, day, started_count, crashed_count)
     select application_id, 'production', day, sum(started_count), sum(crashed_count) from session_days
     group by application_id, day`,
  )
}
