/**
 * Records since when a test fails on a branch: from its last passed to its first failed run, in the order of the runs.
 */
import type { Db } from '../db/open.ts'
import type { FailingRow } from '../test-results/failing-row.ts'
import { failed } from '../test-results/outcome.ts'
import type { TestRunRow } from '../test-results/run.ts'
import { findStreak, listResultsOfStreak, listStreaksOfPassed, saveStreak, type StreakKey } from './streak-store.ts'

/** The most results of one test that are searched; a longer streak keeps its recorded beginning. */
const maxResults = 1000

/** Records the streaks of the tests that fail in a run, and ends those of tests that pass again. */
export async function recordStreaks(trx: Db, run: TestRunRow, rows: FailingRow[]): Promise<void> {
  const branch = run.branch ?? ''
  const keys = new Map(rows.map((row) => [`${row.testId} ${row.environmentId}`, row] as const))
  for (const { testId, environmentId } of keys.values()) {
    await recordStreak(trx, run, { test_id: testId, branch, environment_id: environmentId })
  }
  const recorded = await listStreaksOfPassed(trx, run.id, branch)
  for (const { test_id, environment_id } of recorded) {
    if (!keys.has(`${test_id} ${environment_id}`)) await recordStreak(trx, run, { test_id, branch, environment_id })
  }
}

async function recordStreak(trx: Db, run: TestRunRow, key: StreakKey): Promise<void> {
  const results = await listResultsOfStreak(trx, run.application_id, key, maxResults)
  let firstFailed: number | null = null
  let lastPassed: number | null = null
  for (const [runId, some] of Map.groupBy(results, ({ run_id }) => run_id)) {
    if (some.some(({ outcome }) => outcome === failed)) firstFailed = runId
    else {
      lastPassed = runId
      break
    }
  }
  const before = await findStreak(trx, key)
  const isCut = lastPassed === null && before !== undefined && results.length >= maxResults
  const values = {
    last_passed_run_id: isCut ? before.last_passed_run_id : lastPassed,
    first_failed_run_id: isCut ? before.first_failed_run_id : firstFailed,
    last_run_id: results[0]?.run_id ?? run.id,
  }
  await saveStreak(trx, key, values)
}
