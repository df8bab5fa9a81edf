/** Deletes the rows of a report that is not shown: it was not stored, or the run has the same bytes already. */
import { sql } from 'kysely'
import { requireAt } from '@fairlead/invariant'
import type { Db } from '../db/open.ts'

/** How many rows one statement reads and deletes: on SQLite, a statement holds up every request while it runs. */
const deletedRows = 1000

/** The rest of the primary key of the results of a run. */
const place = sql`(test_id, environment_id, report_id, number)`

/**
 * Deletes what a report that was not published left behind. Each statement passes over a range of the primary key of
 * the run's results, whose other reports may have far more rows. Outside of a transaction, nobody waits for more than
 * one statement. There are no attachments, because publishing inserts them.
 */
export async function deleteReport(db: Db, runId: number, reportId: number): Promise<void> {
  let from = [0, 0, 0, 0]
  for (;;) {
    const after = sql<boolean>`${place} > (${sql.join(from)})`
    const rows = await db
      .selectFrom('test_results')
      .select(['test_id', 'environment_id', 'report_id', 'number', 'failure_id'])
      .where('run_id', '=', runId)
      .where(after)
      .orderBy('test_id')
      .orderBy('environment_id')
      .orderBy('report_id')
      .orderBy('number')
      .limit(deletedRows)
      .execute()
    if (rows.length === 0) break
    const last = requireAt(rows, rows.length - 1)
    const to = [last.test_id, last.environment_id, last.report_id, last.number]
    const own = rows.filter(({ report_id }) => report_id === reportId)
    const failureIds = own.flatMap(({ failure_id }) => failure_id ?? [])
    if (failureIds.length > 0) await db.deleteFrom('test_failures').where('id', 'in', failureIds).execute()
    if (own.length > 0) {
      await db
        .deleteFrom('test_results')
        .where('run_id', '=', runId)
        .where('report_id', '=', reportId)
        .where(after)
        .where(sql<boolean>`${place} <= (${sql.join(to)})`)
        .execute()
    }
    from = to
  }
  await db.deleteFrom('test_reports').where('id', '=', reportId).execute()
}
