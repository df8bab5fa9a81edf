/** The numbers that rules are compared with: counts by the minute, and those of test runs. */
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { whereGiven } from '../db/where-given.ts'

const minuteMs = 60_000

export type Counted = Partial<Omit<Row<'alert_minutes'>, 'application_id' | 'minute'>>

/** Adds to the counts of this minute. */
export async function addToMinute(trx: Db, applicationId: number, counted: Counted): Promise<void> {
  const { crashes = 0, installs = 0, started_sessions = 0, crashed_sessions = 0 } = counted
  if (crashes + installs + started_sessions + crashed_sessions === 0) return
  const values = { crashes, installs, started_sessions, crashed_sessions }
  await trx
    .insertInto('alert_minutes')
    .values({ application_id: applicationId, minute: Math.floor(Date.now() / minuteMs), ...values })
    .onConflict((conflict) =>
      conflict.columns(['application_id', 'minute']).doUpdateSet({
        crashes: (update) => sql`${update.ref('alert_minutes.crashes')} + ${crashes}`,
        installs: (update) => sql`${update.ref('alert_minutes.installs')} + ${installs}`,
        started_sessions: (update) => sql`${update.ref('alert_minutes.started_sessions')} + ${started_sessions}`,
        crashed_sessions: (update) => sql`${update.ref('alert_minutes.crashed_sessions')} + ${crashed_sessions}`,
      }),
    )
    .execute()
}

/** Sums up the counts of the last minutes, of which the last one is not over. */
export async function sumMinutes(
  db: Db,
  applicationId: number,
  windowMinutes: number,
  now: number,
): Promise<Required<Counted>> {
  const sum = (column: string) => sql<number>`cast(coalesce(sum(${sql.ref(column)}), 0) as bigint)`
  return db
    .selectFrom('alert_minutes')
    .select([
      sum('crashes').as('crashes'),
      sum('installs').as('installs'),
      sum('started_sessions').as('started_sessions'),
      sum('crashed_sessions').as('crashed_sessions'),
    ])
    .where('application_id', '=', applicationId)
    .where('minute', '>', Math.floor(now / minuteMs) - windowMinutes)
    .executeTakeFirstOrThrow()
}

/** Sums up the cases that ran, and the flaky ones among them, of runs that completed since a time. */
export async function sumRuns(
  db: Db,
  { applicationId, branch, since }: { applicationId: number; branch: string | null; since: number },
): Promise<{ ran: number; flaky: number }> {
  return db
    .selectFrom('test_runs')
    .select([
      sql<number>`cast(coalesce(sum(cases - skipped), 0) as bigint)`.as('ran'),
      sql<number>`cast(coalesce(sum(flaky), 0) as bigint)`.as('flaky'),
    ])
    .where('application_id', '=', applicationId)
    .where('completed_at', '>', since)
    .where('report_count', '>', 0)
    .$call(whereGiven(branch, (query, branch) => query.where('branch', '=', branch)))
    .executeTakeFirstOrThrow()
}

/** Finds the newest run of a branch that was judged. */
export async function findLastVerdict(db: Db, applicationId: number, branch: string) {
  return db
    .selectFrom('test_runs')
    .select(['id', 'failed', 'verdict'])
    .where('application_id', '=', applicationId)
    .where('branch', '=', branch)
    .where('verdict', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Lists the groups that crashed since a time, with their crashes by the hour. */
export async function listSeenGroups(
  db: Db,
  applicationId: number,
  since: number,
  limit: number,
): Promise<Pick<Row<'crash_groups'>, 'title' | 'hours'>[]> {
  return db
    .selectFrom('crash_groups')
    .select(['title', 'hours'])
    .where('application_id', '=', applicationId)
    .where('last_seen_at', '>=', since)
    .orderBy('last_seen_at', 'desc')
    .limit(limit)
    .execute()
}

/** Lists the applications with a rule whose measure may have changed, or is over its line. */
export async function listApplicationsToLookAt(db: Db, now: number): Promise<number[]> {
  const minute = Math.floor(now / minuteMs)
  const { rows } = await sql<{ application_id: number }>`
    select distinct r.application_id from alert_rules r
    where r.is_enabled = 1 and (
      (r.kind in ('crashCount', 'installCount', 'crashFreeRate', 'flakyRate', 'testVerdict')
        and (r.is_firing = 1 or r.is_armed = 0))
      or (r.kind in ('crashCount', 'installCount', 'crashFreeRate') and exists (
        select 1 from alert_minutes m
        where m.application_id = r.application_id and m.minute > ${minute} - r.window_minutes))
      or (r.kind in ('flakyRate', 'testVerdict') and exists (
        select 1 from test_runs t where t.application_id = r.application_id)))
    order by r.application_id`.execute(db)
  return rows.map(({ application_id: id }) => id)
}
