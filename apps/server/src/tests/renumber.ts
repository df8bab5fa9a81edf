import type { TestCounts } from '@fairlead/contract'
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import { numberCases, type NumberedRow, type Placement } from './number-cases.ts'
import { toOutcome } from './outcome.ts'
import type { TestRunRow } from './run.ts'

interface ResultRow extends NumberedRow {
  testId: number
  environmentId: number
  caseNumber: number | null
  retriedBy: string | null
  attempts: number
  isFlaky: boolean
  ownIsFlaky: boolean
}

/**
 * Renumbers the cases of tests that a run has in several rows: in several reports, shards or attempts, or repeated
 * in one report. Returns how the counts of the run change, apart from those of the new report.
 */
export async function renumberTests(
  trx: Db,
  run: Pick<TestRunRow, 'id'>,
  newReportId: number | null,
  testIds: number[],
): Promise<TestCounts> {
  const delta: TestCounts = { cases: 0, passed: 0, failed: 0, skipped: 0, flaky: 0, attempts: 0 }
  const repeated = await listRepeatedRows(trx, run.id, testIds)
  const greenOf = await readGreenCases(
    trx,
    run.id,
    repeated.map(({ testId }) => testId),
  )
  for (const rows of Map.groupBy(repeated, (row) => `${row.testId} ${row.environmentId}`).values()) {
    const green = greenOf.get(rows[0]?.testId ?? 0) ?? null
    for (const row of rows) addRow(delta, row, row.reportId === newReportId ? { ...row, caseNumber: 1 } : row, -1)
    for (const placement of numberCases(rows, green)) {
      const { row, caseNumber, retriedBy, isFlaky } = placement
      addRow(delta, row, { caseNumber, retriedBy: retriedBy === null ? null : '', isFlaky }, 1)
      await writePlacement(trx, run.id, placement)
    }
  }
  return delta
}

function addRow(
  counts: TestCounts,
  row: ResultRow,
  placed: { caseNumber: number | null; retriedBy: string | null; isFlaky: boolean },
  sign: 1 | -1,
): void {
  if (placed.caseNumber === null && placed.retriedBy === null) return
  counts.attempts += sign * row.attempts
  if (placed.caseNumber === null) return
  counts.cases += sign
  counts[toOutcome(row.outcome)] += sign
  if (placed.isFlaky) counts.flaky += sign
}

/** Reads all rows of those tests that have more than one row in an environment. */
async function listRepeatedRows(trx: Db, runId: number, testIds: number[]): Promise<ResultRow[]> {
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

async function readGreenCases(trx: Db, runId: number, testIds: number[]): Promise<Map<number, number>> {
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

async function writePlacement(trx: Db, runId: number, placement: Placement<ResultRow>): Promise<void> {
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
