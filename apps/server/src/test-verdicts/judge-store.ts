import type { FailureClass } from '@fairlead/contract'
import { selectInBatches } from '../db/in-batches.ts'
import { parseJsonText } from '../db/json-text.ts'
import type { Db } from '../db/open.ts'
import type { FailingRow } from '../test-results/failing-row.ts'
import { failed, passed, skipped, toClassCode, toFailureClass } from '../test-results/outcome.ts'
import type { TestRunRow } from '../test-results/run.ts'

export async function listFailingRows(trx: Db, runId: number): Promise<FailingRow[]> {
  const rows = await trx
    .selectFrom('test_results as result')
    .innerJoin('test_reports as report', 'report.id', 'result.report_id')
    .innerJoin('test_failures as failure', 'failure.id', 'result.failure_id')
    .leftJoin('failure_groups as grouped', 'grouped.id', 'failure.group_id')
    .select([
      'result.test_id',
      'result.environment_id',
      'result.report_id',
      'result.number',
      'result.case_number',
      'result.outcome',
      'failure.id as failure_id',
      'result.classification',
      'failure.group_id',
      'failure.judged_group_id',
      'failure.product_key',
      'failure.other_keys',
      'failure.assertion',
      'grouped.key as group_key',
      'failure.is_device_failure',
      'report.attempt',
      'report.shard',
    ])
    .where('result.run_id', '=', runId)
    .where('result.failed_attempts', '>', 0)
    .where('report.sha256', 'is not', null)
    .execute()
  return rows.map((row) => ({
    testId: row.test_id,
    environmentId: row.environment_id,
    reportId: row.report_id,
    number: row.number,
    caseNumber: row.case_number,
    hasFailed: row.outcome === failed,
    failureId: row.failure_id,
    groupId: row.group_id,
    judgedGroupId: row.judged_group_id,
    productKey: row.product_key,
    groupKey: row.group_key,
    otherKeys: row.other_keys === null ? [] : parseJsonText(row.other_keys),
    assertion: row.assertion === null ? null : parseJsonText(row.assertion),
    isDeviceFailure: row.is_device_failure === 1,
    classification: toFailureClass(row.classification),
    runAttempt: row.attempt,
    shard: row.shard,
  }))
}

/** Counts the rows of each attempt and shard that ran, without skipped ones. */
export async function countExecuted(
  trx: Db,
  runId: number,
): Promise<{ runAttempt: number; shard: number; count: number }[]> {
  const rows = await trx
    .selectFrom('test_results as result')
    .innerJoin('test_reports as report', 'report.id', 'result.report_id')
    .select((select) => ['report.attempt', 'report.shard', select.fn.countAll<number>().as('count')])
    .where('result.run_id', '=', runId)
    .where('result.outcome', '!=', skipped)
    .where('report.sha256', 'is not', null)
    .groupBy(['report.attempt', 'report.shard'])
    .execute()
  return rows.map(({ attempt, shard, count }) => ({ runAttempt: attempt, shard, count }))
}

/** Counts the tests that passed at the commit of a run, in an earlier run or an earlier attempt of the same one. */
export async function countPassedBefore(
  trx: Db,
  run: TestRunRow,
  runAttempt: number,
  testIds: number[],
): Promise<number> {
  if (run.commit_hash === null) return 0
  const rows = await selectInBatches(testIds, (some) =>
    trx
      .selectFrom('test_results as result')
      .innerJoin('test_runs as other', 'other.id', 'result.run_id')
      .innerJoin('test_reports as report', 'report.id', 'result.report_id')
      .select('result.test_id')
      .distinct()
      .where('result.test_id', 'in', some)
      .where('result.outcome', '=', passed)
      .where('other.application_id', '=', run.application_id)
      .where('other.commit_hash', '=', run.commit_hash)
      .where('report.sha256', 'is not', null)
      .where((where) =>
        where.or([
          where('result.run_id', '<', run.id),
          where.and([where('result.run_id', '=', run.id), where('report.attempt', '<', runAttempt)]),
        ]),
      )
      .execute(),
  )
  return rows.length
}

const batchSize = 500

export async function writeClasses(
  trx: Db,
  runId: number,
  rows: FailingRow[],
  name: FailureClass | null,
): Promise<void> {
  for (let start = 0; start < rows.length; start += batchSize) {
    const batch = rows.slice(start, start + batchSize)
    await trx
      .updateTable('test_results')
      .set({ classification: name === null ? null : toClassCode(name) })
      .where('run_id', '=', runId)
      .where(
        'test_id',
        'in',
        batch.map(({ testId }) => testId),
      )
      .where(
        'failure_id',
        'in',
        batch.map(({ failureId }) => failureId),
      )
      .execute()
  }
}

export async function listQuarantinedTests(trx: Db, applicationId: number, now: number): Promise<Set<number>> {
  const rows = await trx
    .selectFrom('quarantines')
    .select('test_id')
    .where('application_id', '=', applicationId)
    .where('created_at', '<=', now)
    .where('expires_at', '>', now)
    .execute()
  return new Set(rows.map(({ test_id }) => test_id))
}

/** Records in which runs the groups of failures were first and last seen. */
export async function writeGroupRuns(trx: Db, runId: number, rows: FailingRow[]): Promise<void> {
  const ids = [...new Set(rows.flatMap(({ groupId }) => (groupId === null ? [] : [groupId])))]
  for (let start = 0; start < ids.length; start += batchSize) {
    const batch = ids.slice(start, start + batchSize)
    await trx
      .updateTable('failure_groups')
      .set({ first_run_id: runId })
      .where('id', 'in', batch)
      .where('first_run_id', 'is', null)
      .execute()
    // A run may be judged again after later ones.
    await trx
      .updateTable('failure_groups')
      .set({ last_run_id: runId })
      .where('id', 'in', batch)
      .where((where) => where.or([where('last_run_id', 'is', null), where('last_run_id', '<', runId)]))
      .execute()
  }
}

/** Sums the durations of the cases of a run; null if none is known. */
export async function sumRunDurations(trx: Db, runId: number): Promise<number | null> {
  const { duration } = await trx
    .selectFrom('test_results')
    .select((select) => select.fn.sum<number | null>('duration_ms').as('duration'))
    .where('run_id', '=', runId)
    .where('case_number', 'is not', null)
    .executeTakeFirstOrThrow()
  return duration
}
