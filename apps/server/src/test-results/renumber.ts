import { setImmediate } from 'node:timers/promises'
import type { TestCounts } from '@fairlead/contract'
import { requireAt } from '@fairlead/invariant'
import type { Db } from '../db/open.ts'
import { numberCases, type Placement } from './number-cases.ts'
import { toOutcome } from './outcome.ts'
import {
  countRepeatedRows,
  listRepeatedRows,
  readGreenCases,
  type ResultRow,
  writePlacement,
} from './renumber-store.ts'
import { eachInTurns, rowsPerTurn, runInTurns } from './row-turns.ts'
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
  const counts = await countRepeatedRows(trx, run.id, testIds)
  const greenOf = await readGreenCases(trx, run.id, [...counts.keys()])
  for await (const rows of listRepeatedRows(trx, run.id, counts)) {
    const { testId } = requireAt(rows, 0)
    const green = greenOf.get(testId) ?? null
    const placements = await runInTurns(placeRows(delta, rows, green, newReportId))
    let waiting = 0
    for (const placement of placements) {
      const hasWritten = await writePlacement(trx, run.id, placement)
      // A statement gives others their turn (`db/turns.ts`); rows without one do not.
      waiting = hasWritten ? 0 : waiting + 1
      if (waiting === rowsPerTurn) {
        await setImmediate()
        waiting = 0
      }
    }
  }
  return delta
}

/** Decides what the rows of one test and environment are, and adds to the counts what changes by it. */
function* placeRows(
  delta: TestCounts,
  rows: ResultRow[],
  green: number | null,
  newReportId: number | null,
): Generator<void, Placement<ResultRow>[]> {
  yield* eachInTurns(rows, (row) => {
    addRow(delta, row, row.reportId === newReportId ? { ...row, caseNumber: 1 } : row, -1)
  })
  const placements = yield* numberCases(rows, green)
  yield* eachInTurns(placements, ({ row, caseNumber, retriedBy, isFlaky }) => {
    addRow(delta, row, { caseNumber, retriedBy: retriedBy === null ? null : '', isFlaky }, 1)
  })
  return placements
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
