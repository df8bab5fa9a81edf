import type { TestCounts } from '@fairlead/contract'
import { requireAt } from '@fairlead/invariant'
import type { Db } from '../db/open.ts'
import { numberCases } from './number-cases.ts'
import { toOutcome } from './outcome.ts'
import { listRepeatedRows, readGreenCases, type ResultRow, writePlacement } from './renumber-store.ts'
import type { TestRunRow } from './run.ts'

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
    const green = greenOf.get(requireAt(rows, 0).testId) ?? null
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
