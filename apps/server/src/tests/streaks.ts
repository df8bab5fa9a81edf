/**
 * Records since when a test fails on a branch: from its last passed to its first failed run, in the order of the runs.
 */
import type { Db } from '../db/open.ts'
import type { FailingRow } from './judge-store.ts'
import { failed, infrastructure, skipped } from './outcome.ts'
import type { TestRunRow } from './run.ts'

/** The most results of one test that are searched; a longer streak keeps its recorded beginning. */
const maxResults = 1000

/** Records the streaks of the tests that fail in a run, and ends those of tests that pass again. */
export async function recordStreaks(trx: Db, run: TestRunRow, rows: FailingRow[]): Promise<void> {
  const branch = run.branch ?? ''
  const keys = new Map(rows.map((row) => [`${row.testId} ${row.environmentId}`, row] as const))
  for (const { testId, environmentId } of keys.values()) await recordStreak(trx, run, testId, branch, environmentId)
  const recorded = await trx
    .selectFrom('streaks')
    .innerJoin('test_results as result', (join) =>
      join
        .onRef('result.test_id', '=', 'streaks.test_id')
        .onRef('result.environment_id', '=', 'streaks.environment_id')
        .on('result.run_id', '=', run.id),
    )
    .select(['streaks.test_id', 'streaks.environment_id'])
    .where('streaks.branch', '=', branch)
    .where('result.outcome', '!=', failed)
    .where('result.case_number', 'is not', null)
    .execute()
  for (const { test_id, environment_id } of recorded) {
    if (!keys.has(`${test_id} ${environment_id}`)) await recordStreak(trx, run, test_id, branch, environment_id)
  }
}

async function recordStreak(
  trx: Db,
  run: TestRunRow,
  testId: number,
  branch: string,
  environmentId: number,
): Promise<void> {
  const results = await trx
    .selectFrom('test_results as result')
    .innerJoin('test_runs as run', 'run.id', 'result.run_id')
    .select(['result.run_id', 'result.outcome'])
    .where('result.test_id', '=', testId)
    .where('result.environment_id', '=', environmentId)
    .where('result.case_number', 'is not', null)
    .where('result.outcome', '!=', skipped)
    .where((where) =>
      where.or([where('result.classification', 'is', null), where('result.classification', '!=', infrastructure)]),
    )
    .where('run.application_id', '=', run.application_id)
    .where('run.state', '=', 'complete')
    .where('run.branch', branch === '' ? 'is' : '=', branch === '' ? null : branch)
    .orderBy('result.run_id', 'desc')
    .limit(maxResults)
    .execute()
  let firstFailed: number | null = null
  let lastPassed: number | null = null
  for (const some of Map.groupBy(results, ({ run_id }) => run_id).values()) {
    const runId = some[0]?.run_id ?? 0
    if (some.some(({ outcome }) => outcome === failed)) firstFailed = runId
    else {
      lastPassed = runId
      break
    }
  }
  const where = { test_id: testId, branch, environment_id: environmentId }
  const before = await findStreak(trx, where)
  const isCut = lastPassed === null && before !== undefined && results.length >= maxResults
  const values = {
    last_passed_run_id: isCut ? before.last_passed_run_id : lastPassed,
    first_failed_run_id: isCut ? before.first_failed_run_id : firstFailed,
    last_run_id: results[0]?.run_id ?? run.id,
  }
  await trx
    .insertInto('streaks')
    .values({ ...where, ...values })
    .onConflict((conflict) => conflict.columns(['test_id', 'branch', 'environment_id']).doUpdateSet(values))
    .execute()
}

async function findStreak(trx: Db, key: { test_id: number; branch: string; environment_id: number }) {
  return trx
    .selectFrom('streaks')
    .selectAll()
    .where('test_id', '=', key.test_id)
    .where('branch', '=', key.branch)
    .where('environment_id', '=', key.environment_id)
    .executeTakeFirst()
}
