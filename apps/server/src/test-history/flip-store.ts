import type { Insertable } from 'kysely'
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import type { Row, Schema } from '../db/schema.ts'
import { infrastructure, passed } from '../test-results/outcome.ts'

/** The most earlier failures that are read for a batch of tests. */
const maxEarlier = 20_000

/** A row of results with what a flip needs to know of its attempts. */
export type AttemptedRow = Pick<
  Row<'test_results'>,
  | 'run_id'
  | 'test_id'
  | 'environment_id'
  | 'report_id'
  | 'number'
  | 'case_number'
  | 'retried_by'
  | 'outcome'
  | 'failed_attempts'
> &
  Pick<Row<'test_failures'>, 'group_id'>

/** Lists the rows of some runs that have a failed attempt. Rows that later ones replaced are included. */
export async function listFailedRows(trx: Db, runIds: number[]): Promise<AttemptedRow[]> {
  const rows: AttemptedRow[] = []
  for (const runId of runIds) {
    const ofRun = await selectAttempted(trx, runId).where('result.failed_attempts', '>', 0).execute()
    for (const row of ofRun) rows.push(row)
  }
  return rows
}

/** Lists the rows of some tests in some runs that passed. Rows that later ones replaced are included. */
export async function listPassedRows(trx: Db, runIds: number[], testIds: number[]): Promise<AttemptedRow[]> {
  const rows: AttemptedRow[] = []
  for (const runId of runIds) {
    const ofRun = await selectInBatches(testIds, (ids) =>
      selectAttempted(trx, runId).where('result.outcome', '=', passed).where('result.test_id', 'in', ids).execute(),
    )
    for (const row of ofRun) rows.push(row)
  }
  return rows
}

function selectAttempted(trx: Db, runId: number) {
  return trx
    .selectFrom('test_results as result')
    .innerJoin('test_reports as report', 'report.id', 'result.report_id')
    .leftJoin('test_failures as failure', 'failure.id', 'result.failure_id')
    .select([
      'result.run_id',
      'result.test_id',
      'result.environment_id',
      'result.report_id',
      'result.number',
      'result.case_number',
      'result.retried_by',
      'result.outcome',
      'result.failed_attempts',
      'failure.group_id',
    ])
    .where('result.run_id', '=', runId)
    .where('report.sha256', 'is not', null)
    .where((where) =>
      where.or([where('result.classification', 'is', null), where('result.classification', '!=', infrastructure)]),
    )
}

/** Lists the newest failures that some tests had before a run. */
export async function listEarlierFailures(trx: Db, runId: number, testIds: number[]) {
  return selectInBatches(testIds, (ids) =>
    trx
      .selectFrom('test_failures as failure')
      .innerJoin('failure_groups as grouped', 'grouped.id', 'failure.group_id')
      .select(['failure.test_id', 'failure.group_id', 'failure.other_keys', 'failure.assertion'])
      .select('grouped.key as group_key')
      .where('failure.test_id', 'in', ids)
      .where('failure.run_id', '<', runId)
      .orderBy('failure.id', 'desc')
      .limit(maxEarlier)
      .execute(),
  )
}

/** Inserts a flip, or replaces the groups of the flip of the same test, environment and commit. */
export async function saveFlip(trx: Db, flip: Insertable<Schema['flips']>): Promise<void> {
  await trx
    .insertInto('flips')
    .values(flip)
    .onConflict((conflict) =>
      conflict.columns(['test_id', 'environment_id', 'commit_key']).doUpdateSet({ group_ids: flip.group_ids }),
    )
    .execute()
}

/** Lists how often some tests passed in a row since their last flip. */
export async function listPassesSinceFlip(
  db: Db,
  testIds: number[],
): Promise<Pick<Row<'tests'>, 'id' | 'passes_since_flip'>[]> {
  return selectInBatches(testIds, (ids) =>
    db.selectFrom('tests').select(['id', 'passes_since_flip']).where('id', 'in', ids).execute(),
  )
}

/** Lists the flips of some tests, oldest first. */
export async function listFlips(db: Db, testIds: number[]): Promise<Row<'flips'>[]> {
  return selectInBatches(testIds, (ids) =>
    db.selectFrom('flips').selectAll().where('test_id', 'in', ids).orderBy('flipped_at').execute(),
  )
}
