/**
 * What the overview of an application shows of its crashes. Every query reads a bounded number of rows in the order of
 * an index, so that its cost does not grow with the crashes. Constants of partial indexes and of indexes of expressions
 * are written into the statements, because planners do not look at parameters.
 */
import { sql } from 'kysely'
import { maxCounted } from '../db/count-some.ts'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { sumOf, toMissingSymbols } from '../crash-releases/statistics-store.ts'
import type { MissingSymbols } from '@fairlead/contract'

/** The day on which a group was first seen, as the index has it. */
const firstDay = sql`(crash_groups.first_seen_at / 86400000)`

/** Counts the new groups of applications: open ones that were first seen on this day or later. */
export async function countNewGroups(db: Db, applicationIds: number[], sinceDay: number): Promise<Map<number, number>> {
  const count = sql<number>`(
    select count(*) from (
      select 1 as one from crash_groups
      where crash_groups.application_id = applications.id and crash_groups.status = 'open'
        and ${firstDay} >= ${sinceDay} and crash_groups.crash_count > 0
      limit ${sql.lit(maxCounted)}
    ) as counted)`
  const rows = await db
    .selectFrom('applications')
    .select(['id', count.as('count')])
    .where('id', 'in', applicationIds)
    .execute()
  return new Map(rows.map((row) => [row.id, row.count]))
}

/** Lists the new groups with most crashes. The index has the most of each day first. */
export async function listWorstNewGroups(
  db: Db,
  applicationId: number,
  days: readonly number[],
  limit: number,
): Promise<Row<'crash_groups'>[]> {
  const ofDays = days.map(
    (day) => sql`select * from (
      select id from crash_groups
      where application_id = ${applicationId} and status = 'open' and ${firstDay} = ${day} and crash_count > 0
      order by crash_count desc limit ${sql.lit(limit)}) as of_day`,
  )
  return db
    .selectFrom('crash_groups')
    .selectAll()
    .where(sql<boolean>`id in (${sql.join(ofDays, sql` union all `)})`)
    .orderBy('crash_count', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** The sessions of applications by day and environment. */
export async function listSessionTotals(
  db: Db,
  applicationIds: number[],
  sinceDay: number,
): Promise<Row<'session_totals'>[]> {
  return db
    .selectFrom('session_totals')
    .selectAll()
    .where('application_id', 'in', applicationIds)
    .where('day', '>=', sinceDay)
    .orderBy('day')
    .execute()
}

/** Lists the releases with most sessions on each of these days. */
export async function listBusyReleases(
  db: Db,
  applicationId: number,
  { environment, days, perDay }: { environment: string; days: readonly number[]; perDay: number },
): Promise<number[]> {
  if (days.length === 0) return []
  const ofDays = days.map(
    (day) => sql<{ release_id: number }>`select * from (
      select release_id from session_days join releases on releases.id = session_days.release_id
      where session_days.application_id = ${applicationId} and session_days.day = ${day}
        and releases.environment = ${environment}
      order by session_days.started_count desc limit ${sql.lit(perDay)}) as of_day`,
  )
  const { rows } = await sql<{ release_id: number }>`${sql.join(ofDays, sql` union all `)}`.execute(db)
  return [...new Set(rows.map((row) => row.release_id))]
}

/** Lists those of some releases that had the most sessions since a day, the busiest first. */
export async function listBusiestReleases(
  db: Db,
  applicationId: number,
  releaseIds: number[],
  { sinceDay, limit }: { sinceDay: number; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('session_days')
    .select('release_id')
    .where('application_id', '=', applicationId)
    .where('release_id', 'in', releaseIds)
    .where('day', '>=', sinceDay)
    .groupBy('release_id')
    .orderBy(sumOf('started_count'), 'desc')
    .orderBy('release_id')
    .limit(limit)
    .execute()
  return rows.map(({ release_id: id }) => id)
}

/** Finds the releases of a build by the names that its crashes may give it. */
export async function listReleasesOfBuild(
  db: Db,
  build: { application_id: number; bundle_identifier: string; short_version: string; version: string },
  environment: string,
): Promise<number[]> {
  const rows = await db
    .selectFrom('releases')
    .select('id')
    .where('application_id', '=', build.application_id)
    .where('package', 'in', [build.bundle_identifier, ''])
    .where('short_version', 'in', [build.short_version, ''])
    .where('version', '=', build.version)
    .where('environment', '=', environment)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Lists the sessions of releases, release by release. In the order of days alone, SQLite would read the days of all
 * releases, whose index has that order.
 */
export async function listDaysOfReleases(db: Db, applicationId: number, releaseIds: number[], sinceDay: number) {
  return db
    .selectFrom('session_days')
    .select(['release_id', 'day', 'started_count', 'crashed_count'])
    .where('application_id', '=', applicationId)
    .where('release_id', 'in', releaseIds)
    .where('day', '>=', sinceDay)
    .orderBy('release_id')
    .orderBy('day')
    .execute()
}

/** Lists symbols that the newest waiting stacks lack, those that most crashes of these stacks wait for first. */
export async function listNewestMissing(
  db: Db,
  applicationId: number,
  { stacks, limit }: { stacks: number; limit: number },
): Promise<MissingSymbols[]> {
  const newest = db
    .selectFrom('crash_waits')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where(sql<boolean>`is_found = 0 and is_needed = 1`)
    .orderBy('stack_id', 'desc')
    .limit(stacks)
    .as('waits')
  const rows = await db
    .selectFrom(newest)
    .innerJoin('crash_stacks', 'crash_stacks.id', 'waits.stack_id')
    .leftJoin('releases', 'releases.id', 'waits.release_id')
    .select((select) => [
      'waits.kind',
      'waits.ref',
      select.fn.max('waits.name').as('name'),
      select.fn.max('waits.code_id').as('code_id'),
      select.fn.max('releases.package').as('package'),
      select.fn.max('releases.short_version').as('short_version'),
      select.fn.max('releases.version').as('version'),
      select.fn.countAll<number>().as('stack_count'),
      sumOf('crash_stacks.crash_count').as('crash_count'),
    ])
    .groupBy(['waits.kind', 'waits.ref'])
    .orderBy('crash_count', 'desc')
    .orderBy('waits.ref')
    .limit(limit)
    .execute()
  return rows.map(toMissingSymbols)
}

/** Tells which applications have stacks that wait for symbols. */
export async function listApplicationsLackingSymbols(db: Db, applicationIds: number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom('applications')
    .select('id')
    .where('id', 'in', applicationIds)
    .where(
      sql<boolean>`exists (
        select 1 from crash_waits
        where crash_waits.application_id = applications.id and is_found = 0 and is_needed = 1)`,
    )
    .execute()
  return new Set(rows.map(({ id }) => id))
}
