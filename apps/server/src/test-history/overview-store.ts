/** What the overview of an application shows of its tests: a bounded number of rows in the order of an index. */
import { sql } from 'kysely'
import { maxCounted } from '../db/count-some.ts'
import type { Db } from '../db/open.ts'
import { failed } from '../test-results/outcome.ts'
import { flaky } from './flake-state.ts'

const columns = ['tests.id', 'suite', 'class', 'name', 'default_run_id', 'last_flip_at'] as const

/** Lists tests that fail on the default branch, as the list of failing tests does. */
export async function listFailingTests(db: Db, applicationId: number, now: number) {
  return selectTests(db, applicationId)
    .where('default_outcome', '=', failed)
    .where('flake_state', '!=', flaky)
    .where('tests.id', 'not in', (select) =>
      select
        .selectFrom('quarantines')
        .select('test_id')
        .where('application_id', '=', applicationId)
        .where('expires_at', '>', now),
    )
    .orderBy('tests.id', 'desc')
    .limit(maxCounted)
    .execute()
}

/** Lists flaky tests that flipped since a time, those that did last first. */
export async function listNewlyFlakyTests(db: Db, applicationId: number, since: number) {
  return selectTests(db, applicationId)
    .where('flake_state', '=', flaky)
    .where('last_flip_at', '>=', since)
    .orderBy('last_flip_at', 'desc')
    .limit(maxCounted)
    .execute()
}

function selectTests(db: Db, applicationId: number) {
  return db
    .selectFrom('tests')
    .select(columns)
    .where('tests.application_id', '=', applicationId)
    .where('merged_into', 'is', null)
    .where('last_run_id', 'is not', null)
}

/** Counts failing tests, and tests that became flaky, of several applications. */
export async function countTestsOf(db: Db, applicationIds: number[], { now, since }: { now: number; since: number }) {
  const isShown = sql`tests.application_id = applications.id and merged_into is null and last_run_id is not null`
  const some = (condition: ReturnType<typeof sql>) => sql<number>`(
    select count(*) from (
      select 1 as one from tests where ${isShown} and ${condition} limit ${sql.lit(maxCounted)}
    ) as counted)`
  const isQuarantined = sql`tests.id in (
    select test_id from quarantines where quarantines.application_id = applications.id and expires_at > ${now})`
  return db
    .selectFrom('applications')
    .select([
      'id',
      some(sql`default_outcome = ${failed} and flake_state != ${flaky} and not ${isQuarantined}`).as('failing'),
      some(sql`flake_state = ${flaky} and last_flip_at >= ${since}`).as('flaky'),
    ])
    .where('id', 'in', applicationIds)
    .execute()
}
