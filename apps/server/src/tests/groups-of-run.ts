import type { FailureGroupOfRun } from '@fairlead/contract'
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import { failed, toFailureClass } from './outcome.ts'

/** The most groups that the answer lists, those with the most failures first. */
const maxGroups = 200
/** One aggregate per class would need a column for each class, so the query returns a row for each class. */
const classCount = 6

/** Lists the groups of a run's failures, the largest first. */
export async function listGroupsOfRun(db: Db, runId: number): Promise<FailureGroupOfRun[]> {
  const rows = await db
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
    .limit(maxGroups * classCount)
    .execute()
  const testOf = await findTests(
    db,
    rows.map(({ failure_id }) => failure_id),
  )
  const groups = Map.groupBy(rows, ({ id }) => id)
  const described = [...groups.values()].map((some) => {
    const [first] = some as [(typeof some)[number]] // a group of Map.groupBy is never empty
    const sum = (name: 'count' | 'test_count') => some.reduce((total, row) => total + row[name], 0)
    return {
      groupId: first.id,
      title: first.title,
      frames: JSON.parse(first.frames) as string[], // only `takeGroups` writes this column
      count: sum('count'),
      testCount: sum('test_count'),
      classifications: some.flatMap(({ classification }) => toFailureClass(classification) ?? []),
      failureId: first.failure_id,
      testId: testOf.get(first.failure_id) ?? 0,
      firstRunId: first.first_run_id,
    }
  })
  return described.toSorted((a, b) => b.count - a.count).slice(0, maxGroups)
}

async function findTests(db: Db, failureIds: number[]): Promise<Map<number, number>> {
  const rows = await selectInBatches(failureIds, (some) =>
    db.selectFrom('test_failures').select(['id', 'test_id']).where('id', 'in', some).execute(),
  )
  return new Map(rows.map(({ id, test_id }) => [id, test_id]))
}
