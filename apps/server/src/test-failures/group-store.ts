import type { Page } from '@fairlead/contract'
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import { countAll, cutRows, maxUnpaged, type Paged } from '../db/paging.ts'
import type { Row } from '../db/schema.ts'
import { failed } from '../test-results/outcome.ts'

/** Lists the groups of failures that were seen in complete runs, newest first. */
export async function listGroupsOfApplication(
  db: Db,
  applicationId: number,
  { cursor, limit }: Page,
): Promise<Paged<Row<'failure_groups'>>> {
  const matching = db
    .selectFrom('failure_groups')
    .where('application_id', '=', applicationId)
    .where('last_run_id', 'is not', null)
  let query = matching.selectAll().orderBy('id', 'desc')
  if (cursor !== undefined) query = query.where('id', '<', cursor)
  return cutRows({
    rows: await query.limit((limit ?? maxUnpaged) + 1).execute(),
    limit,
    toCursor: ({ id }) => String(id),
    count: matching.select(countAll),
  })
}

/** Counts the failures of a run by group and class, the largest counts first. */
export async function listGroupRows(db: Db, runId: number, limit: number) {
  return db
    .selectFrom('test_results as result')
    .innerJoin('test_failures as failure', 'failure.id', 'result.failure_id')
    .innerJoin('failure_groups as group', 'group.id', 'failure.group_id')
    .select((select) => [
      'group.id',
      'group.title',
      'group.frames',
      'group.first_run_id',
      'result.classification',
      select.fn.countAll<number>().as('count'),
      select.fn.count<number>('result.test_id').distinct().as('test_count'),
      select.fn.min('failure.id').as('failure_id'),
    ])
    .where('result.run_id', '=', runId)
    .where('result.case_number', 'is not', null)
    .where('result.outcome', '=', failed)
    .groupBy(['group.id', 'group.title', 'group.frames', 'group.first_run_id', 'result.classification'])
    .orderBy('count', 'desc')
    .orderBy('group.id')
    .limit(limit)
    .execute()
}

/** Finds the tests of failures, by the ids of the failures. */
export async function findTestsOfFailures(db: Db, failureIds: number[]): Promise<Map<number, number>> {
  const rows = await selectInBatches(failureIds, (some) =>
    db.selectFrom('test_failures').select(['id', 'test_id']).where('id', 'in', some).execute(),
  )
  return new Map(rows.map(({ id, test_id }) => [id, test_id]))
}
