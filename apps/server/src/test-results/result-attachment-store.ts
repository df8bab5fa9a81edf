import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'

export type PlacedRow = Pick<
  Row<'test_results'>,
  'environment_id' | 'report_id' | 'number' | 'case_number' | 'retried_by' | 'attempts'
>

/** Lists the rows of a test in a run, in the order of shards and reports. */
export async function listRowsOfTest(db: Db, runId: number, testId: number): Promise<PlacedRow[]> {
  return db
    .selectFrom('test_results as result')
    .innerJoin('test_reports as report', 'report.id', 'result.report_id')
    .select([
      'result.environment_id',
      'result.report_id',
      'result.number',
      'result.case_number',
      'result.retried_by',
      'result.attempts',
    ])
    .where('result.run_id', '=', runId)
    .where('result.test_id', '=', testId)
    .where('report.sha256', 'is not', null)
    .orderBy('report.shard')
    .orderBy('report.id')
    .orderBy('result.number')
    .execute()
}

/** Lists the attachments of a test in a run, oldest first. */
export async function listAttachmentRows(db: Db, runId: number, testId: number, limit: number) {
  return db
    .selectFrom('test_attachments as attachment')
    .innerJoin('blobs', 'blobs.id', 'attachment.blob_id')
    .leftJoin('environments as environment', 'environment.id', 'attachment.environment_id')
    .select(['attachment.id', 'attachment.name', 'attachment.content_type', 'attachment.attempt', 'blobs.size'])
    .select(['attachment.environment_id', 'attachment.report_id', 'attachment.number'])
    .select('environment.name as environment')
    .where('attachment.run_id', '=', runId)
    .where('attachment.test_id', '=', testId)
    .orderBy('attachment.id')
    .limit(limit)
    .execute()
}

/** The columns that name a row of `test_results`. */
export interface RowPlace {
  run_id: number
  test_id: number
  environment_id: number
  report_id: number
  number: number
}

export function toPlaceKey({ run_id, test_id, environment_id, report_id, number }: RowPlace): string {
  return `${run_id} ${test_id} ${environment_id} ${report_id}.${number}`
}

/** Counts the attachments of the tests of some results, by the places of their rows. */
export async function countAttachments(db: Db, rows: RowPlace[]): Promise<Map<string, number>> {
  const found = await selectByPlace(rows, (runIds, testIds) =>
    db
      .selectFrom('test_attachments')
      .select(['run_id', 'test_id', 'environment_id', 'report_id', 'number'])
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('run_id', 'in', runIds)
      .where('test_id', 'in', testIds)
      .groupBy(['run_id', 'test_id', 'environment_id', 'report_id', 'number'])
      .execute(),
  )
  return new Map(found.map((row) => [toPlaceKey(row), row.count]))
}

/**
 * Selects rows that belong to the runs and tests of some results. The results of one test take one query for all of
 * their runs; other results take one for each run, so that no query finds tests of a run that were not asked for.
 */
export async function selectByPlace<Row>(
  rows: Pick<RowPlace, 'run_id' | 'test_id'>[],
  select: (runIds: number[], testIds: number[]) => Promise<Row[]>,
): Promise<Row[]> {
  const testIds = new Set(rows.map(({ test_id }) => test_id))
  const byRun = Map.groupBy(rows, ({ run_id }) => run_id)
  if (testIds.size === 1) return selectInBatches([...byRun.keys()], (runIds) => select(runIds, [...testIds]))
  const found: Row[] = []
  for (const [runId, some] of byRun) {
    const ids = [...new Set(some.map(({ test_id }) => test_id))]
    for (const row of await selectInBatches(ids, (batch) => select([runId], batch))) found.push(row)
  }
  return found
}
