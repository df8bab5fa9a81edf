import { type Kysely, sql } from 'kysely'

/** The base of a verdict is among the last completed runs of a branch, of which there may be many thousand. */
export async function addIndexOfCompletedRuns(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index test_runs_completed_by_branch on test_runs (application_id, branch, completed_at, id)
    where report_count > 0 and state = 'complete'
  `.execute(db)
}
