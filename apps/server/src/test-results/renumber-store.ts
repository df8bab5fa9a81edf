import { sql } from 'kysely'
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import { countAll } from '../db/paging.ts'
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

/** How many rows one statement reads: on SQLite, a statement holds up every request while it runs. */
const readRows = 1000

/** Counts the rows of those tests that have more than one row in an environment. */
export async function countRepeatedRows(trx: Db, runId: number, testIds: number[]): Promise<Map<number, number>> {
  const repeated = await selectInBatches([...new Set(testIds)], (ids) =>
    trx
      .selectFrom('test_results')
      .select(['test_id', countAll])
      .where('run_id', '=', runId)
      .where('test_id', 'in', ids)
      .groupBy(['test_id', 'environment_id'])
      .having((having) => having.fn.countAll(), '>', 1)
      .execute(),
  )
  const counts = new Map<number, number>()
  for (const { test_id: id, count } of repeated) counts.set(id, (counts.get(id) ?? 0) + count)
  return counts
}

/**
 * Reads the rows of some tests: all of one test and environment at a time, in the order of their reports and numbers.
 * Rows that are alone in their environment are among them.
 *
 * @param counts about how many rows each test has
 */
export async function* listRepeatedRows(
  trx: Db,
  runId: number,
  counts: ReadonlyMap<number, number>,
): AsyncGenerator<ResultRow[]> {
  for (const ids of cutTests(counts)) {
    let rows: ResultRow[] = []
    for await (const slice of sliceRows(trx, runId, ids)) {
      for (const row of slice) {
        const [first] = rows
        if (first && (first.testId !== row.testId || first.environmentId !== row.environmentId)) {
          yield rows
          rows = []
        }
        rows.push(row)
      }
    }
    if (rows.length > 0) yield rows
  }
}

/** Cuts tests into lists that have about as many rows as one statement reads. A test with more is alone in its list. */
function* cutTests(counts: ReadonlyMap<number, number>): Generator<number[]> {
  let ids: number[] = []
  let rows = 0
  for (const [id, count] of counts) {
    if (ids.length > 0 && rows + count > readRows) {
      yield ids
      ids = []
      rows = 0
    }
    ids.push(id)
    rows += count
  }
  if (ids.length > 0) yield ids
}

/** Reads the rows of a list of tests. Those of a single test come in slices, because they may be very many. */
async function* sliceRows(trx: Db, runId: number, testIds: number[]): AsyncGenerator<ResultRow[]> {
  const all = trx
    .selectFrom('test_results')
    .innerJoin('test_reports', 'test_reports.id', 'test_results.report_id')
    .select(['test_id', 'environment_id', 'report_id', 'number', 'is_marked', 'outcome', 'failed_attempts'])
    .select(['attempts', 'case_number', 'retried_by', 'is_flaky', 'test_reports.shard'])
    .select('test_reports.attempt as run_attempt')
    .where('test_results.run_id', '=', runId)
    .where('test_id', 'in', testIds)
    .where('test_reports.sha256', 'is not', null)
    .orderBy('test_id')
    .orderBy('environment_id')
    .orderBy('report_id')
    .orderBy('number')
  const isSliced = testIds.length === 1
  let slice = isSliced ? all.limit(readRows) : all
  for (;;) {
    const rows = (await slice.execute()).map((row) => ({
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
    yield rows
    const last = rows.at(-1)
    if (!isSliced || last === undefined || rows.length < readRows) return
    const place = sql.join([last.environmentId, last.reportId, last.number])
    slice = slice.where(sql<boolean>`(environment_id, report_id, number) > (${place})`)
  }
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

/** Writes the number of a row's case, unless it is the same as before. Returns whether it was written. */
export async function writePlacement(trx: Db, runId: number, placement: Placement<ResultRow>): Promise<boolean> {
  const { row, caseNumber, retriedBy } = placement
  const isFlaky = caseNumber === null ? row.ownIsFlaky : placement.isFlaky
  const next = retriedBy === null ? null : `${retriedBy.reportId}.${retriedBy.number}`
  if (row.caseNumber === caseNumber && row.retriedBy === next && row.isFlaky === isFlaky) return false
  await trx
    .updateTable('test_results')
    .set({ case_number: caseNumber, retried_by: next, is_flaky: isFlaky ? 1 : 0 })
    .where('run_id', '=', runId)
    .where('test_id', '=', row.testId)
    .where('environment_id', '=', row.environmentId)
    .where('report_id', '=', row.reportId)
    .where('number', '=', row.number)
    .execute()
  return true
}
