import type { Db } from '../db/open.ts'

/** Lists the cases of a run, with the name of their environment. */
export async function listCases(
  db: Db,
  runId: number,
): Promise<{ test_id: number; name: string | null; case_number: number | null; outcome: number }[]> {
  return db
    .selectFrom('test_results as result')
    .leftJoin('environments as environment', 'environment.id', 'result.environment_id')
    .select(['result.test_id', 'environment.name', 'result.case_number', 'result.outcome'])
    .where('result.run_id', '=', runId)
    .where('result.case_number', 'is not', null)
    .execute()
}

/** Lists the tests that have cases in any of these runs. */
export async function listTestIds(db: Db, runIds: number[]): Promise<Set<number>> {
  if (runIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('test_results')
    .select('test_id')
    .distinct()
    .where('run_id', 'in', runIds)
    .where('case_number', 'is not', null)
    .execute()
  return new Set(rows.map((row) => row.test_id))
}
