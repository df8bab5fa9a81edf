import type { FailureClass } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import { countAll } from '../db/paging.ts'
import type { Row } from '../db/schema.ts'
import { failed, passed, skipped, toFailureClass } from '../test-results/outcome.ts'

/** Finds a report that is shown. */
export async function findReportOfRun(
  db: Db,
  runId: number,
  reportId: number,
): Promise<Pick<Row<'test_reports'>, 'warnings'> | undefined> {
  return db
    .selectFrom('test_reports')
    .select('warnings')
    .where('id', '=', reportId)
    .where('run_id', '=', runId)
    .where('sha256', 'is not', null)
    .executeTakeFirst()
}

/** Counts the cases of a run whose last attempt is in a report, and the classes of those that failed. */
export async function countReport(db: Db, runId: number, reportId: number) {
  const rows = await db
    .selectFrom('test_results')
    .select(['outcome', 'classification', countAll])
    .where('run_id', '=', runId)
    .where('report_id', '=', reportId)
    .where('case_number', 'is not', null)
    .groupBy(['outcome', 'classification'])
    .execute()
  const sumOf = (some: typeof rows) => some.reduce((sum, { count }) => sum + count, 0)
  const classes = new Map<FailureClass, number>()
  for (const { outcome, classification, count } of rows) {
    const name = outcome === failed ? toFailureClass(classification) : null
    if (name !== null) classes.set(name, count)
  }
  const counts = {
    cases: sumOf(rows),
    passed: sumOf(rows.filter(({ outcome }) => outcome === passed)),
    skipped: sumOf(rows.filter(({ outcome }) => outcome === skipped)),
  }
  return { counts, classes }
}
