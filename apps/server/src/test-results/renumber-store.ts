import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import type { NumberedRow, Placement } from './number-cases.ts'
import { toOutcome } from './outcome.ts'

/** A row of results, with what it counts for in the totals of its run. */
export interface ResultRow extends NumberedRow {
  testId: number
  environmentId: number
  caseNumber: number | null
  retriedBy: string | null
  attempts: number
  isFlaky: boolean
  ownIsFlaky: boolean
}

/** Reads all rows of those tests that have more than one row in an environment. */
export async function listRepeatedRows(trx: Db, runId: number, testIds: number[]): Promise<ResultRow[]> {
  const unique = [...new Set(testIds)]
  const repeated = await selectInBatches(unique, (ids) =>
    trx
      .selectFrom('test_results')
      .select('test_id')
      .where('run_id', '=', runId)
      .where('test_id', 'in', ids)
      .groupBy(['test_id', 'environment_id'])
      .having((having) => having.fn.countAll(), '>', 1)
      .execute(),
  )
  const rows = await selectInBatches([...new Set(repeated.map(({ test_id }) => test_id))], (ids) =>
    trx
      .selectFrom('test_results')
      .innerJoin('test_reports', 'test_reports.id', 'test_results.report_id')
      .selectAll('test_results')
      .select(['test_reports.attempt as run_attempt', 'test_reports.shard'])
      .where('test_results.run_id', '=', runId)
      .where('test_results.test_id', 'in', ids)
      .where('test_reports.sha256', 'is not', null)
      .execute(),
  )
  return rows.map((row) => ({
    testId: row.test_id,
    environmentId: row.environment_id,
    reportId: row.report_id,
    number: row.number,
    runAttempt: row.run_attempt,
    shard: row.shard,
    isMarked: row.is_marked === 1,
    outcome: row.outcome,
    failedAttempts: row.failed_attempts,
    attempts: row.attempts,
    caseNumber: row.case_number,
    retriedBy: row.retried_by,
    isFlaky: row.is_flaky === 1,
    ownIsFlaky: toOutcome(row.outcome) === 'passed' && row.failed_attempts > 0,
  }))
}

/** Reads how many cases each test had when all of them passed last, in another run. */
export async function readGreenCases(trx: Db, runId: number, testIds: number[]): Promise<Map<number, number>> {
  const rows = await selectInBatches([...new Set(testIds)], (ids) =>
    trx
      .selectFrom('tests')
      .select(['id', 'green_cases'])
      .where('id', 'in', ids)
      .where('green_run_id', '!=', runId)
      .execute(),
  )
  return new Map(rows.flatMap(({ id, green_cases }) => (green_cases === null ? [] : [[id, green_cases] as const])))
}

/** Writes the number of a row's case, unless it is the same as before. */
export async function writePlacement(trx: Db, runId: number, placement: Placement<ResultRow>): Promise<void> {
  const { row, caseNumber, retriedBy } = placement
  const isFlaky = caseNumber === null ? row.ownIsFlaky : placement.isFlaky
  const next = retriedBy === null ? null : `${retriedBy.reportId}.${retriedBy.number}`
  if (row.caseNumber === caseNumber && row.retriedBy === next && row.isFlaky === isFlaky) return
  await trx
    .updateTable('test_results')
    .set({ case_number: caseNumber, retried_by: next, is_flaky: isFlaky ? 1 : 0 })
    .where('run_id', '=', runId)
    .where('test_id', '=', row.testId)
    .where('environment_id', '=', row.environmentId)
    .where('report_id', '=', row.reportId)
    .where('number', '=', row.number)
    .execute()
}
