import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { toJsonText } from '../db/json-text.ts'
import type { TestDuration } from '@fairlead/contract'
import { skipped } from '../test-results/outcome.ts'

/** A case of a run with the names of its test. */
export type TimedCase = Pick<Row<'tests'>, 'file' | 'class' | 'suite'> & { test_id: number; duration_ms: number | null }

/** Lists the last complete runs of an application whose results are still kept. */
export async function listTimedRuns(db: Db, applicationId: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('test_runs')
    .select('id')
    .where('application_id', '=', applicationId)
    .where('state', '=', 'complete')
    .where('report_count', '>', 0)
    .where('retention', '<', 3)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Lists the cases of some tests of a run that ran, by the ids of the tests from above `after`. */
export async function listTimedCases(db: Db, runId: number, testIds: number[]): Promise<TimedCase[]> {
  return db
    .selectFrom('test_results')
    .innerJoin('tests', 'tests.id', 'test_results.test_id')
    .select(['tests.file', 'tests.class', 'tests.suite', 'test_results.test_id', 'test_results.duration_ms'])
    .where('test_results.run_id', '=', runId)
    .where('test_results.test_id', 'in', testIds)
    .where('test_results.case_number', 'is not', null)
    .where('test_results.outcome', '!=', skipped)
    .execute()
}

export async function findSplitRow(
  db: Db,
  applicationId: number,
  key: string,
): Promise<Row<'test_splits'> | undefined> {
  return db
    .selectFrom('test_splits')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('run_key', '=', key)
    .executeTakeFirst()
}

/** Keeps the durations of a key, unless another shard was faster, and deletes all but the newest of the application. */
export async function insertSplit(
  db: Db,
  values: { workspaceId: number; applicationId: number; key: string; durations: TestDuration[] },
  kept: number,
): Promise<void> {
  await db
    .insertInto('test_splits')
    .values({
      workspace_id: values.workspaceId,
      application_id: values.applicationId,
      run_key: values.key,
      durations: toJsonText(values.durations),
      created_at: Date.now(),
    })
    .onConflict((conflict) => conflict.columns(['application_id', 'run_key']).doNothing())
    .execute()
  const oldest = db
    .selectFrom('test_splits')
    .select('id')
    .where('application_id', '=', values.applicationId)
    .orderBy('id', 'desc')
    .offset(kept)
    .limit(1)
  await db
    .deleteFrom('test_splits')
    .where('application_id', '=', values.applicationId)
    .where('id', '<=', oldest)
    .execute()
}
