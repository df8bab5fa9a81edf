/** Inserts the rows of results, of which a report may have a hundred thousand. */
import { type Insertable, sql } from 'kysely'
import { isPostgres } from '../db/engine.ts'
import { insertRows } from '../db/insert-rows.ts'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import type { CaseOwner } from './grouped-case.ts'

/** The columns in which the results of one report differ, with their types on PostgreSQL. */
const columns = [
  ['test_id', 'bigint'],
  ['environment_id', 'bigint'],
  ['number', 'integer'],
  ['is_marked', 'smallint'],
  ['outcome', 'smallint'],
  ['is_flaky', 'smallint'],
  ['attempts', 'integer'],
  ['failed_attempts', 'integer'],
  ['duration_ms', 'double precision'],
  ['failure_id', 'bigint'],
] as const

export type NewResult = Record<Exclude<(typeof columns)[number][0], 'duration_ms' | 'failure_id'>, number> & {
  duration_ms: number | null
  failure_id: number | null
}

/** Inserts results of a report. Only shown ones have a case number, which lists look for. */
export async function insertResultRows(trx: Db, owner: CaseOwner, rows: NewResult[], isShown: boolean): Promise<void> {
  if (isPostgres(trx)) return insertOnPostgres(trx, owner, rows, isShown)
  const all = rows.map((row): Insertable<Schema['test_results']> => ({
    ...row,
    run_id: owner.runId,
    report_id: owner.reportId,
    case_number: isShown ? row.number : null,
    retried_by: null,
    classification: null,
  }))
  await insertRows(trx, 'test_results', all)
}

/**
 * Each column is one parameter, and what all rows have in common is sent once: a text of JSON with a field for each
 * value takes PostgreSQL half as long again.
 */
async function insertOnPostgres(trx: Db, owner: CaseOwner, rows: NewResult[], isShown: boolean): Promise<void> {
  if (rows.length === 0) return
  const names = sql.join(columns.map(([name]) => sql.ref(name)))
  const lists = columns.map(([name, type]) => sql`${toArrayText(rows.map((row) => row[name]))}::${sql.raw(type)}[]`)
  await sql`
    insert into test_results (run_id, report_id, case_number, ${names})
    select ${owner.runId}::bigint, ${owner.reportId}::bigint, case when ${isShown}::boolean then number end, ${names}
    from unnest(${sql.join(lists)}) as result (${names})
  `.execute(trx)
}

/** Writes an array of PostgreSQL. The driver would quote each number. */
function toArrayText(values: readonly (number | null)[]): string {
  return `{${values.map((value) => value ?? 'null').join()}}`
}
