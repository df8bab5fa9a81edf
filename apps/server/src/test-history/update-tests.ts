import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { tellHooks } from '../hooks/tell-hooks.ts'
import { listFlips } from './flip-store.ts'
import { flaky } from './flake-state.ts'
import { toFlakeState } from './flips.ts'
import { formatRecent, parseRecent, type RecentResult } from './recent-results.ts'
import {
  addToDays,
  listResultsToCount,
  listTestIds,
  listTestRows,
  type ResultRow,
  writeTests,
} from './update-tests-store.ts'
import { failed, infrastructure, passed, skipped } from '../test-results/outcome.ts'
import type { TestRunRow } from '../test-results/run.ts'
import { readDefaultBranch, requireRunRow } from '../test-results/run-store.ts'

const maxRecent = 64
const testsPerTransaction = 500

/** Brings the tests of a complete run up to date: recent results, p95, state. A second call changes nothing. */
export async function updateTests(db: Db, runId: number): Promise<void> {
  const run = await requireRunRow(db, runId)
  const defaultBranch = await readDefaultBranch(db, run.application_id)
  for (let above = 0; ;) {
    const ids = await listTestIds(db, runId, above, testsPerTransaction)
    const last = ids.at(-1)
    if (last === undefined) return
    await db.transaction().execute((trx) => updateSome(trx, run, run.branch === defaultBranch, ids))
    above = last
  }
}

async function updateSome(trx: Db, run: TestRunRow, isDefault: boolean, ids: number[]): Promise<void> {
  const results = await listResultsToCount(trx, run.id, ids)
  const tests = await listTestRows(trx, ids)
  const flipsOf = Map.groupBy(await listFlips(trx, ids), ({ test_id }) => test_id)
  const resultsOf = Map.groupBy(results, ({ test_id }) => test_id)
  const rows = tests.map((test) => {
    const flips = flipsOf.get(test.id) ?? []
    return toUpdated(test, run, isDefault, resultsOf.get(test.id) ?? [], flips)
  })
  await writeTests(trx, rows)
  const wasFlaky = new Set(tests.filter(({ flake_state: state }) => state === flaky).map(({ id }) => id))
  const newlyFlaky = rows.filter(({ id, flake_state: state }) => state === flaky && !wasFlaky.has(id))
  const of = { workspaceId: run.workspace_id, applicationId: run.application_id }
  if (newlyFlaky.length > 0) {
    await tellHooks(trx, { type: 'test.becameFlaky', ...of }, () =>
      newlyFlaky.map((test) => ({
        data: { testId: test.id, suite: test.suite, class: test.class, name: test.name },
      })),
    )
  }
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
  const stored = parseRecent(test)
  const before = stored.filter(({ runId }) => runId !== run.id)
  const isNew = before.length === stored.length
  const recent = [...before, ...results.map((result) => toRecent(run.id, result))]
    .toSorted((a, b) => a.runId - b.runId)
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
    recent: formatRecent(recent),
    p95_ms: toP95(recent),
    flake_state: toFlakeState(flips, run.created_at, passes),
    flake_cost: flips.length === 0 ? 0 : toFlakeCost(recent),
    last_flip_at: lastFlipAt,
    passes_since_flip: passes,
  }
}

function toRecent(runId: number, { outcome, duration_ms, environment_id, is_flaky }: ResultRow): RecentResult {
  return { runId, outcome, durationMs: duration_ms, environmentId: environment_id, isFlaky: is_flaky === 1 }
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
  const durations = recent.flatMap(({ outcome, durationMs }) =>
    outcome === skipped || durationMs === null ? [] : [durationMs],
  )
  return durations.toSorted((a, b) => a - b)[Math.ceil(durations.length * 0.95) - 1] ?? null
}

/** The lower bound of Wilson's interval, which ranks by rate without overrating the few, times the minutes lost. */
function toFlakeCost(recent: RecentResult[]): number {
  const ran = recent.filter(({ outcome }) => outcome !== skipped)
  const lost = ran.filter(({ outcome, isFlaky }) => outcome === failed || isFlaky)
  if (ran.length === 0) return 0
  const z = 1.96
  const [n, p] = [ran.length, lost.length / ran.length]
  const spread = z * Math.sqrt((p * (1 - p) + (z * z) / (4 * n)) / n)
  const bound = (p + (z * z) / (2 * n) - spread) / (1 + (z * z) / n)
  const minutes = lost.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0) / 60_000
  return bound * Math.max(minutes, 0.001)
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
    if (parseRecent(test).some(({ runId }) => runId === run.id)) return []
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
  await addToDays(trx, rows)
}
