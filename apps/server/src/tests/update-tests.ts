import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { listFlips, toFlakeState } from './flips.ts'
import { failed, infrastructure, passed, skipped } from './outcome.ts'
import type { TestRunRow } from './run.ts'
import { requireRunRow } from './run-store.ts'

/** Run, outcome, milliseconds, environment, and whether the test passed after a failed attempt. */
export type RecentResult = [
  runId: number,
  outcome: number,
  durationMs: number | null,
  environment: number,
  flaky: 0 | 1,
]

const maxRecent = 64
const testsPerTransaction = 500

type ResultRow = Pick<
  Row<'test_results'>,
  'test_id' | 'environment_id' | 'outcome' | 'is_flaky' | 'duration_ms' | 'failed_attempts' | 'classification'
>

/** Brings the tests of a complete run up to date: recent results, p95, state. A second call changes nothing. */
export async function updateTests(db: Db, runId: number): Promise<void> {
  const run = await requireRunRow(db, runId)
  const { default_branch: defaultBranch } = await db
    .selectFrom('applications')
    .select('default_branch')
    .where('id', '=', run.application_id)
    .executeTakeFirstOrThrow()
  for (let above = 0; ;) {
    const ids = await listTestIds(db, runId, above)
    const last = ids.at(-1)
    if (last === undefined) return
    await db.transaction().execute((trx) => updateSome(trx, run, run.branch === defaultBranch, ids))
    above = last
  }
}

async function listTestIds(db: Db, runId: number, above: number): Promise<number[]> {
  const rows = await db
    .selectFrom('test_results')
    .select('test_id')
    .distinct()
    .where('run_id', '=', runId)
    .where('test_id', '>', above)
    .where('case_number', 'is not', null)
    .orderBy('test_id')
    .limit(testsPerTransaction)
    .execute()
  return rows.map(({ test_id }) => test_id)
}

async function updateSome(trx: Db, run: TestRunRow, isDefault: boolean, ids: number[]): Promise<void> {
  const results = await trx
    .selectFrom('test_results')
    .select(['test_id', 'environment_id', 'outcome', 'is_flaky', 'duration_ms', 'failed_attempts', 'classification'])
    .where('run_id', '=', run.id)
    .where('test_id', 'in', ids)
    .where('case_number', 'is not', null)
    .execute()
  const tests = await trx.selectFrom('tests').selectAll().where('id', 'in', ids).orderBy('id').execute()
  const flipsOf = Map.groupBy(await listFlips(trx, ids), ({ test_id }) => test_id)
  const resultsOf = Map.groupBy(results, ({ test_id }) => test_id)
  const rows = tests.map((test) => {
    const flips = flipsOf.get(test.id) ?? []
    return toUpdated(test, run, isDefault, resultsOf.get(test.id) ?? [], flips)
  })
  await writeTests(trx, rows)
  await addDays(trx, run, tests, resultsOf)
}

function toUpdated(
  test: Row<'tests'>,
  run: TestRunRow,
  isDefault: boolean,
  results: ResultRow[],
  flips: Row<'flips'>[],
): Row<'tests'> {
  const own = results.filter(({ classification }) => classification !== infrastructure)
  const before = (JSON.parse(test.recent) as RecentResult[]).filter(([runId]) => runId !== run.id)
  const isNew = before.length === parseRecent(test).length
  const recent = [...before, ...results.map((result) => toRecent(run.id, result))]
    .toSorted(([a], [b]) => a - b)
    .slice(-maxRecent)
  const lastFlipAt = flips.at(-1)?.flipped_at ?? null
  const hasFlipped = lastFlipAt !== test.last_flip_at
  const isFirstPass =
    own.length > 0 && own.every(({ outcome, failed_attempts }) => outcome === passed && failed_attempts === 0)
  const passes = hasFlipped ? 0 : test.passes_since_flip + (isNew && isFirstPass ? 1 : 0)
  const isLast = run.id >= (test.last_run_id ?? 0)
  const isLastDefault = isDefault && own.length > 0 && run.id >= (test.default_run_id ?? 0)
  const isGreen = results.every(({ outcome }) => outcome === passed) && run.id >= (test.green_run_id ?? 0)
  return {
    ...test,
    ...(isLast && { last_run_id: run.id, last_outcome: toWorst(results) }),
    ...(isLastDefault && { default_run_id: run.id, default_outcome: toWorst(own) }),
    ...(isGreen && { green_run_id: run.id, green_cases: countCases(results) }),
    recent: JSON.stringify(recent),
    p95_ms: toP95(recent),
    flake_state: toFlakeState(flips, run.created_at, passes),
    flake_cost: flips.length === 0 ? 0 : toFlakeCost(recent),
    last_flip_at: lastFlipAt,
    passes_since_flip: passes,
  }
}

export function parseRecent({ recent }: Pick<Row<'tests'>, 'recent'>): RecentResult[] {
  return JSON.parse(recent) as RecentResult[] // only `writeTests` writes this column
}

function toRecent(runId: number, { outcome, duration_ms, environment_id, is_flaky }: ResultRow): RecentResult {
  return [runId, outcome, duration_ms, environment_id, is_flaky === 1 ? 1 : 0]
}

function toWorst(results: ResultRow[]): number {
  if (results.some(({ outcome }) => outcome === failed)) return failed
  return results.some(({ outcome }) => outcome === passed) ? passed : skipped
}

/** The most cases that one environment had. */
function countCases(results: ResultRow[]): number {
  return Math.max(...[...Map.groupBy(results, (row) => row.environment_id).values()].map(({ length }) => length))
}

/** The 95th percentile by nearest rank, of results that ran. */
function toP95(recent: RecentResult[]): number | null {
  const durations = recent.flatMap(([, outcome, ms]) => (outcome === skipped || ms === null ? [] : [ms]))
  return durations.toSorted((a, b) => a - b)[Math.ceil(durations.length * 0.95) - 1] ?? null
}

/** The lower bound of Wilson's interval, which ranks by rate without overrating the few, times the minutes lost. */
function toFlakeCost(recent: RecentResult[]): number {
  const ran = recent.filter(([, outcome]) => outcome !== skipped)
  const lost = ran.filter(([, outcome, , , flaky]) => outcome === failed || flaky === 1)
  if (ran.length === 0) return 0
  const z = 1.96
  const [n, p] = [ran.length, lost.length / ran.length]
  const spread = z * Math.sqrt((p * (1 - p) + (z * z) / (4 * n)) / n)
  const bound = (p + (z * z) / (2 * n) - spread) / (1 + (z * z) / n)
  const minutes = lost.reduce((sum, [, , ms]) => sum + (ms ?? 0), 0) / 60_000
  return bound * Math.max(minutes, 0.001)
}

/** Writes all rows with one statement, because a statement for each row would cost several times as much. */
async function writeTests(trx: Db, rows: Row<'tests'>[]): Promise<void> {
  if (rows.length === 0) return
  const values = rows.map(
    (row) => sql`(
      ${row.id}, ${row.last_run_id}, ${row.last_outcome}, ${row.default_run_id}, ${row.default_outcome},
      ${row.green_run_id}, ${row.green_cases}, ${row.recent}, ${row.p95_ms}, ${row.flake_state}, ${row.flake_cost},
      ${row.last_flip_at}, ${row.passes_since_flip}
    )`,
  )
  await sql`
    update tests set
      last_run_id = cast(v.column2 as bigint), last_outcome = cast(v.column3 as bigint),
      default_run_id = cast(v.column4 as bigint), default_outcome = cast(v.column5 as bigint),
      green_run_id = cast(v.column6 as bigint), green_cases = cast(v.column7 as bigint),
      recent = v.column8, p95_ms = cast(v.column9 as double precision),
      flake_state = cast(v.column10 as bigint), flake_cost = cast(v.column11 as double precision),
      last_flip_at = cast(v.column12 as bigint), passes_since_flip = cast(v.column13 as bigint)
    from (values ${sql.join(values)}) as v
    where tests.id = cast(v.column1 as bigint)
  `.execute(trx)
}

/** Adds a run to the days of its tests, unless it is counted there already. */
async function addDays(
  trx: Db,
  run: TestRunRow,
  tests: Row<'tests'>[],
  resultsOf: Map<number, ResultRow[]>,
): Promise<void> {
  const day = new Date(run.created_at).toISOString().slice(0, 10)
  const rows = tests.flatMap((test) => {
    if (parseRecent(test).some(([runId]) => runId === run.id)) return []
    const results = resultsOf.get(test.id) ?? []
    return [
      {
        test_id: test.id,
        day,
        runs: 1,
        failed: toWorst(results) === failed ? 1 : 0,
        flaky: results.some(({ is_flaky }) => is_flaky === 1) ? 1 : 0,
        duration_ms: results.reduce((sum, { duration_ms }) => sum + (duration_ms ?? 0), 0),
      },
    ]
  })
  if (rows.length === 0) return
  await trx
    .insertInto('test_days')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['test_id', 'day']).doUpdateSet((update) => ({
        runs: update('test_days.runs', '+', update.ref('excluded.runs')),
        failed: update('test_days.failed', '+', update.ref('excluded.failed')),
        flaky: update('test_days.flaky', '+', update.ref('excluded.flaky')),
        duration_ms: update('test_days.duration_ms', '+', update.ref('excluded.duration_ms')),
      })),
    )
    .execute()
}
