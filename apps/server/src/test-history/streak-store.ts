import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { failed, infrastructure, skipped } from '../test-results/outcome.ts'

/** The branch is the empty text for runs without one. */
export type StreakKey = Pick<Row<'streaks'>, 'test_id' | 'branch' | 'environment_id'>

/** Lists the recorded streaks of tests that have a case in a run that did not fail. */
export async function listStreaksOfPassed(
  trx: Db,
  runId: number,
  branch: string,
): Promise<Pick<StreakKey, 'test_id' | 'environment_id'>[]> {
  return trx
    .selectFrom('streaks')
    .innerJoin('test_results as result', (join) =>
      join
        .onRef('result.test_id', '=', 'streaks.test_id')
        .onRef('result.environment_id', '=', 'streaks.environment_id')
        .on('result.run_id', '=', runId),
    )
    .select(['streaks.test_id', 'streaks.environment_id'])
    .where('streaks.branch', '=', branch)
    .where('result.outcome', '!=', failed)
    .where('result.case_number', 'is not', null)
    .execute()
}

/** Lists the results of a test on a branch in one environment, newest run first, without skipped and lost ones. */
export async function listResultsOfStreak(
  trx: Db,
  applicationId: number,
  { test_id, branch, environment_id }: StreakKey,
  limit: number,
): Promise<Pick<Row<'test_results'>, 'run_id' | 'outcome'>[]> {
  return trx
    .selectFrom('test_results as result')
    .innerJoin('test_runs as run', 'run.id', 'result.run_id')
    .select(['result.run_id', 'result.outcome'])
    .where('result.test_id', '=', test_id)
    .where('result.environment_id', '=', environment_id)
    .where('result.case_number', 'is not', null)
    .where('result.outcome', '!=', skipped)
    .where((where) =>
      where.or([where('result.classification', 'is', null), where('result.classification', '!=', infrastructure)]),
    )
    .where('run.application_id', '=', applicationId)
    .where('run.state', '=', 'complete')
    .where('run.branch', branch === '' ? 'is' : '=', branch === '' ? null : branch)
    .orderBy('result.run_id', 'desc')
    .limit(limit)
    .execute()
}

export async function findStreak(trx: Db, key: StreakKey): Promise<Row<'streaks'> | undefined> {
  return trx
    .selectFrom('streaks')
    .selectAll()
    .where('test_id', '=', key.test_id)
    .where('branch', '=', key.branch)
    .where('environment_id', '=', key.environment_id)
    .executeTakeFirst()
}

/** Inserts a streak, or replaces the runs of the one with this key. */
export async function saveStreak(
  trx: Db,
  key: StreakKey,
  values: Pick<Row<'streaks'>, 'last_passed_run_id' | 'first_failed_run_id' | 'last_run_id'>,
): Promise<void> {
  await trx
    .insertInto('streaks')
    .values({ ...key, ...values })
    .onConflict((conflict) => conflict.columns(['test_id', 'branch', 'environment_id']).doUpdateSet(values))
    .execute()
}
