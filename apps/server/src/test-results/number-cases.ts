/**
 * Decides which rows of one test and environment are cases and which are attempts of one case, from everything that a
 * run's reports hold about it. The result does not depend on the order in which the reports arrived.
 */
import { requireAt } from '@fairlead/invariant'
import { failed, passed } from './outcome.ts'
import { eachInTurns } from './row-turns.ts'

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

/**
 * Yields where other requests may have a turn: one test may have as many rows as a report may have cases.
 *
 * @param rows in the order of their reports and numbers. Rows of one upload keep their order; uploads without shards
 *   are ordered by their arrival, others by their shards.
 * @param greenCases how many cases the test had when it was last green; null when it never was
 */
export function* numberCases<Row extends NumberedRow>(
  rows: Iterable<Row>,
  greenCases: number | null,
): Generator<void, Placement<Row>[]> {
  const placements = new Map<Row, Placement<Row>>()
  const byAttempt = new Map<number, Map<number, Row[]>>()
  yield* eachInTurns(rows, (row) => {
    placements.set(row, { row, caseNumber: null, retriedBy: null, isFlaky: false })
    append(byAttempt, row)
  })
  /** The attempts of each case, by its number less one. */
  const last: Row[][] = []
  for (const [, byShard] of toSortedEntries(byAttempt)) {
    const shards = toSortedEntries(byShard).map(([, ofShard]) => ofShard)
    const cases = yield* joinRetries(shards, greenCases)
    yield* eachInTurns(cases, (attempts, index) => {
      last[index] = attempts
    })
  }
  yield* eachInTurns(last, (attempts, index) => {
    const head = attempts.at(-1)
    if (head === undefined) return
    const hasFailed = attempts.some((row) => row.failedAttempts > 0)
    const isFlaky = head.outcome === passed && hasFailed
    placements.set(head, { row: head, caseNumber: index + 1, retriedBy: null, isFlaky })
    for (let place = 0; place < attempts.length - 1; place++) {
      const row = requireAt(attempts, place)
      placements.set(row, { row, caseNumber: null, retriedBy: head, isFlaky: false })
    }
  })
  return [...placements.values()]
}

function append<Row extends NumberedRow>(byAttempt: Map<number, Map<number, Row[]>>, row: Row): void {
  const byShard = byAttempt.get(row.runAttempt) ?? new Map<number, Row[]>()
  byAttempt.set(row.runAttempt, byShard)
  const rows = byShard.get(row.shard)
  if (rows) rows.push(row)
  else byShard.set(row.shard, [row])
}

function toSortedEntries<Value>(map: ReadonlyMap<number, Value>): [number, Value][] {
  return [...map].toSorted(([a], [b]) => a - b)
}

/**
 * Rows without a mark are retries only when there are more of them than the test had cases when it was last green, and
 * only a row that failed is followed by its retry. Anything else stays a case, so that no failure is hidden by mistake.
 */
function* joinRetries<Row extends NumberedRow>(shards: Row[][], greenCases: number | null): Generator<void, Row[][]> {
  let isMarked = false
  let count = 0
  for (const rows of shards) {
    count += rows.length
    yield* eachInTurns(rows, (row) => {
      isMarked ||= row.isMarked
    })
  }
  let excess = greenCases === null || isMarked ? 0 : Math.max(0, count - greenCases)
  const cases: Row[][] = []
  let isRetry = false
  for (const rows of shards) {
    yield* eachInTurns(rows, (row) => {
      const current = cases.at(-1)
      if (isRetry && current) current.push(row)
      else cases.push([row])
      isRetry = row.outcome === failed && excess > 0
      if (isRetry) excess--
    })
  }
  return cases
}
