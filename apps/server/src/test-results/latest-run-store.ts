import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { TestRunRow } from './run.ts'

// Planners use a partial index only where they read its condition in the statement.
const isShown = sql<boolean>`report_count > 0`

/** Finds the newest complete run of an application's default branch. */
export async function findLatestRun(db: Db, applicationId: number): Promise<TestRunRow | undefined> {
  return db
    .selectFrom('test_runs')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('branch', '=', (select) =>
      select.selectFrom('applications').select('default_branch').where('id', '=', applicationId),
    )
    .where(isShown)
    .where('state', '=', 'complete')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Finds the newest complete runs of the default branches of applications. */
export async function listLatestRuns(db: Db, applicationIds: number[]): Promise<TestRunRow[]> {
  return db
    .selectFrom('applications')
    .innerJoin('test_runs', (join) =>
      join.on('test_runs.id', '=', (on) =>
        on
          .selectFrom('test_runs as newest')
          .select('newest.id')
          .whereRef('newest.application_id', '=', 'applications.id')
          .whereRef('newest.branch', '=', 'applications.default_branch')
          .where(sql<boolean>`newest.report_count > 0`)
          .where('newest.state', '=', 'complete')
          .orderBy('newest.id', 'desc')
          .limit(1),
      ),
    )
    .selectAll('test_runs')
    .where('applications.id', 'in', applicationIds)
    .execute()
}
