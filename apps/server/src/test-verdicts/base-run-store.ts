import { selectInBatches } from '../db/in-batches.ts'
import type { JsonText } from '../db/json-text.ts'
import type { Db } from '../db/open.ts'
import type { Asserted } from '../test-results/asserted.ts'
import { failed, infrastructure, skipped } from '../test-results/outcome.ts'

/** A case of a run that another one is compared with. */
export interface BaseResult {
  test_id: number
  run_id: number
  environment_id: number
  outcome: number
  classification: number | null
  group_id: number | null
  judged_group_id: number | null
  group_key: string | null
  case_number: number | null
  other_keys: JsonText<string[]> | null
  assertion: JsonText<Asserted> | null
}

/** Lists the functions of the product in which tests of a run failed, as keys. */
export async function listFailedProductKeys(trx: Db, runId: number): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('test_failures as failure')
    .innerJoin('test_results as result', 'result.failure_id', 'failure.id')
    .select('failure.product_key')
    .distinct()
    .where('failure.run_id', '=', runId)
    .where('failure.product_key', 'is not', null)
    .where('result.run_id', '=', runId)
    .whereRef('result.test_id', '=', 'failure.test_id')
    .where('result.outcome', '=', failed)
    .where('result.case_number', 'is not', null)
    .where((where) =>
      where.or([where('result.classification', 'is', null), where('result.classification', '!=', infrastructure)]),
    )
    .execute()
  return new Set(rows.flatMap(({ product_key }) => product_key ?? []))
}

/** Lists the cases that some tests have in some runs. */
export async function listResultsOfRuns(trx: Db, runIds: number[], testIds: number[]): Promise<BaseResult[]> {
  return selectInBatches(testIds, (some) =>
    trx
      .selectFrom('test_results as result')
      .leftJoin('test_failures as failure', 'failure.id', 'result.failure_id')
      .select(['result.test_id', 'result.run_id', 'result.environment_id', 'result.outcome', 'result.classification'])
      .leftJoin('failure_groups as grouped', 'grouped.id', 'failure.group_id')
      .select(['failure.group_id', 'failure.judged_group_id', 'failure.other_keys', 'failure.assertion'])
      .select(['result.case_number', 'grouped.key as group_key'])
      .where('result.test_id', 'in', some)
      .where('result.run_id', 'in', runIds)
      .where('result.case_number', 'is not', null)
      .execute(),
  )
}

/** How many rows one statement counts: on SQLite, a statement holds up every request while it runs. */
const countedRows = 2000

/** Counts the cases that ran in a run by suite. */
export async function listSuiteSizes(trx: Db, runId: number): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  let from = 0
  for (;;) {
    const to = await findTestAfter(trx, runId, from)
    let counted = trx
      .selectFrom('test_results as result')
      .innerJoin('tests as test', 'test.id', 'result.test_id')
      .select((select) => ['test.suite', select.fn.countAll<number>().as('count')])
      .where('result.run_id', '=', runId)
      .where('result.test_id', '>', from)
      .where('result.outcome', '!=', skipped)
      .where('result.case_number', 'is not', null)
    if (to !== undefined) counted = counted.where('result.test_id', '<=', to)
    const rows = await counted.groupBy('test.suite').execute()
    for (const { suite, count } of rows) sizes.set(suite ?? '', (sizes.get(suite ?? '') ?? 0) + count)
    if (to === undefined) return sizes
    from = to
  }
}

/** Finds the test with which a statement that begins after another test ends; undefined for the last statement. */
async function findTestAfter(trx: Db, runId: number, from: number): Promise<number | undefined> {
  const row = await trx
    .selectFrom('test_results')
    .select('test_id')
    .where('run_id', '=', runId)
    .where('test_id', '>', from)
    .orderBy('test_id')
    .offset(countedRows - 1)
    .limit(1)
    .executeTakeFirst()
  return row?.test_id
}
