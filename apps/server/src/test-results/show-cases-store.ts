/** Shows the rows of a report, which are hidden while they are inserted. */
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { CaseOwner } from './grouped-case.ts'

/** How many rows one statement shows: on SQLite, a statement holds up every request while it runs. */
const shownRows = 1000

/** The place of a row in the primary key of the results of a run. */
type Place = readonly [testId: number, environmentId: number, reportId: number, number: number]
const place = sql`(test_id, environment_id, report_id, number)`

/**
 * Makes the inserted rows of a report visible. `testIds` has the tests of all rows. Each statement changes a range of
 * the primary key, so that it reads no other rows of the report, even if all of them belong to one test.
 */
export async function showCases(trx: Db, owner: CaseOwner, testIds: readonly number[]): Promise<void> {
  let from: Place | undefined = [least(testIds), 0, 0, 0]
  const last: Place = [greatest(testIds), Number.MAX_SAFE_INTEGER, 0, 0]
  while (from !== undefined) {
    const to: Place | undefined = await findEnd(trx, owner, from, last)
    await trx
      .updateTable('test_results')
      .set((row) => ({ case_number: row.ref('number') }))
      .where('run_id', '=', owner.runId)
      .where('report_id', '=', owner.reportId)
      .where(isBetween(from, to ?? last))
      .execute()
    from = to
  }
}

/** Finds the place at which a statement that begins after `from` has to end; undefined for the last statement. */
async function findEnd(trx: Db, { runId, reportId }: CaseOwner, from: Place, last: Place): Promise<Place | undefined> {
  const row = await trx
    .selectFrom('test_results')
    .select(['test_id', 'environment_id', 'number'])
    .where('run_id', '=', runId)
    // The sign keeps SQLite from leaving the column out of the order, which would then no longer be that of the key.
    .where(sql`+report_id`, '=', reportId)
    .where(isBetween(from, last))
    .orderBy('test_id')
    .orderBy('environment_id')
    .orderBy('report_id')
    .orderBy('number')
    .offset(shownRows - 1)
    .limit(1)
    .executeTakeFirst()
  return row && [row.test_id, row.environment_id, reportId, row.number]
}

/** Tells whether a row comes after `from` and not after `to`. */
function isBetween(from: Place, to: Place) {
  return sql<boolean>`${place} > (${sql.join(from)}) and ${place} <= (${sql.join(to)})`
}

// A report may have more rows than a function can have arguments.
function least(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.min(a, b), Number.MAX_SAFE_INTEGER)
}

function greatest(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.max(a, b), 0)
}
