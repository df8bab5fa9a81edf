/**
 * Decides which rows of one test and environment are cases and which are attempts of one case, from everything that a
 * run's reports hold about it. The result does not depend on the order in which the reports arrived.
 */
import { failed, passed } from './outcome.ts'

export interface NumberedRow {
  reportId: number
  number: number
  /** The attempt of the run, and the shard, that the row's report belongs to. */
  runAttempt: number
  shard: number
  isMarked: boolean
  outcome: number
  failedAttempts: number
}

export interface Placement<Row> {
  row: Row
  /** Null for a row that a later one replaced. */
  caseNumber: number | null
  /** The row with the last attempt of the same case, when this row is an earlier one. */
  retriedBy: Row | null
  isFlaky: boolean
}

/** @param greenCases how many cases the test had when it was last green; null when it never was */
export function numberCases<Row extends NumberedRow>(rows: Row[], greenCases: number | null): Placement<Row>[] {
  const last = new Map<number, Row[]>()
  const byAttempt = Map.groupBy(rows, (row) => row.runAttempt)
  for (const runAttempt of [...byAttempt.keys()].toSorted((a, b) => a - b)) {
    const sorted = (byAttempt.get(runAttempt) ?? []).toSorted(compareRows)
    for (const [index, attempts] of joinRetries(sorted, greenCases).entries()) last.set(index + 1, attempts)
  }
  const placements = new Map<Row, Placement<Row>>()
  for (const row of rows) placements.set(row, { row, caseNumber: null, retriedBy: null, isFlaky: false })
  for (const [caseNumber, attempts] of last) {
    const head = attempts.at(-1)
    if (head === undefined) continue
    const hasFailed = attempts.some((row) => row.failedAttempts > 0)
    placements.set(head, { row: head, caseNumber, retriedBy: null, isFlaky: head.outcome === passed && hasFailed })
    for (const row of attempts.slice(0, -1)) {
      placements.set(row, { row, caseNumber: null, retriedBy: head, isFlaky: false })
    }
  }
  return [...placements.values()]
}

/** Rows of one upload keep their order; uploads without shards are ordered by their arrival. */
function compareRows(a: NumberedRow, b: NumberedRow): number {
  return a.shard - b.shard || a.reportId - b.reportId || a.number - b.number
}

/**
 * Rows without a mark are retries only when there are more of them than the test had cases when it was last green, and
 * only a row that failed is followed by its retry. Anything else stays a case, so that no failure is hidden by mistake.
 */
function joinRetries<Row extends NumberedRow>(rows: Row[], greenCases: number | null): Row[][] {
  let excess = greenCases === null || rows.some((row) => row.isMarked) ? 0 : Math.max(0, rows.length - greenCases)
  const cases: Row[][] = []
  let isRetry = false
  for (const row of rows) {
    const current = cases.at(-1)
    if (isRetry && current) current.push(row)
    else cases.push([row])
    isRetry = row.outcome === failed && excess > 0
    if (isRetry) excess--
  }
  return cases
}
