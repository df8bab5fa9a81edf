import { type Insertable, sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Row, Schema } from '../db/schema.ts'

export type ResultRow = Pick<
  Row<'test_results'>,
  'test_id' | 'environment_id' | 'outcome' | 'is_flaky' | 'duration_ms' | 'failed_attempts' | 'classification'
>

/** Lists the tests that have a case in a run, by id from above `after`. */
export async function listTestIds(db: Db, runId: number, after: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('test_results')
    .select('test_id')
    .distinct()
    .where('run_id', '=', runId)
    .where('test_id', '>', after)
    .where('case_number', 'is not', null)
    .orderBy('test_id')
    .limit(limit)
    .execute()
  return rows.map(({ test_id }) => test_id)
}

/** Lists the cases of some tests in a run. */
export async function listResultsToCount(trx: Db, runId: number, testIds: number[]): Promise<ResultRow[]> {
  return trx
    .selectFrom('test_results')
    .select(['test_id', 'environment_id', 'outcome', 'is_flaky', 'duration_ms', 'failed_attempts', 'classification'])
    .where('run_id', '=', runId)
    .where('test_id', 'in', testIds)
    .where('case_number', 'is not', null)
    .execute()
}

export async function listTestRows(trx: Db, ids: number[]): Promise<Row<'tests'>[]> {
  return trx.selectFrom('tests').selectAll().where('id', 'in', ids).orderBy('id').execute()
}

/** The columns that a run changes, with the type that PostgreSQL has to be told for a list of values. */
const updatedColumns = [
  { name: 'last_run_id', type: 'bigint' },
  { name: 'last_outcome', type: 'bigint' },
  { name: 'default_run_id', type: 'bigint' },
  { name: 'default_outcome', type: 'bigint' },
  { name: 'green_run_id', type: 'bigint' },
  { name: 'green_cases', type: 'bigint' },
  { name: 'recent', type: 'text' },
  { name: 'p95_ms', type: 'double precision' },
  { name: 'flake_state', type: 'bigint' },
  { name: 'flake_cost', type: 'double precision' },
  { name: 'last_flip_at', type: 'bigint' },
  { name: 'passes_since_flip', type: 'bigint' },
] as const

/** Writes all rows with one statement, because a statement for each row would cost several times as much. */
export async function writeTests(trx: Db, rows: Row<'tests'>[]): Promise<void> {
  if (rows.length === 0) return
  const values = rows.map((row) => sql`(${sql.join([row.id, ...updatedColumns.map(({ name }) => row[name])])})`)
  // Both engines name the columns of a list of values column1, column2 and so on; the first one is the id.
  const changes = updatedColumns.map(
    ({ name, type }, index) => sql`${sql.ref(name)} = cast(${sql.ref(`v.column${index + 2}`)} as ${sql.raw(type)})`,
  )
  await sql`
    update tests set ${sql.join(changes)}
    from (values ${sql.join(values)}) as v
    where tests.id = cast(v.column1 as bigint)
  `.execute(trx)
}

/** Adds the counts of a run to the days of its tests. */
export async function addToDays(trx: Db, rows: Insertable<Schema['test_days']>[]): Promise<void> {
  if (rows.length === 0) return
  await trx
    .insertInto('test_days')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['test_id', 'day']).doUpdateSet((update) => ({
        runs: update('test_days.runs', '+', update.ref('excluded.runs')),
        failed: update('test_days.failed', '+', update.ref('excluded.failed')),
        flaky: update('test_days.flaky', '+', update.ref('excluded.flaky')),
        duration_ms: update('test_days.duration_ms', '+', update.ref('excluded.duration_ms')),
      })),
    )
    .execute()
}
