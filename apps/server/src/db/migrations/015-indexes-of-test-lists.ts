import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/**
 * Lists of runs, of the results of a test and of failure groups state their total. These indexes hold everything that
 * the count needs, so that it reads no rows. They replace indexes of the same leading columns.
 */
export async function addIndexesOfTestLists(db: Kysely<unknown>): Promise<void> {
  await sql`drop index test_runs_by_application_id_id`.execute(db)
  await sql`drop index test_runs_by_application_id_branch_id`.execute(db)
  await sql`drop index test_results_by_test_id_run_id`.execute(db)
  await sql`create index test_runs_shown on test_runs (application_id, id) where report_count > 0`.execute(db)
  await sql`
    create index test_runs_shown_by_branch on test_runs (application_id, branch, id) where report_count > 0
  `.execute(db)
  await sql`
    create index test_results_by_test_id_run_id_case_number on test_results (test_id, run_id, case_number)
  `.execute(db)
  await sql`
    create index failure_groups_seen on failure_groups (application_id, id) where last_run_id is not null
  `.execute(db)
}
