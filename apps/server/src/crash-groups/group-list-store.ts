import { ApiError } from '@fairlead/contract'
import { type Expression, type ExpressionBuilder, type RawBuilder, sql, type SqlBool } from 'kysely'
import { escapeLike } from '../db/escape-like.ts'
import type { Db } from '../db/open.ts'
import { countAll, type Paged, toPage } from '../db/paging.ts'
import type { Schema } from '../db/schema.ts'
import { toDay } from '../crash-releases/clock.ts'
import type { GroupRecord } from './crash-group.ts'
import { trendDays } from './group-facts-store.ts'
import type { GroupFilter } from './group-filter.ts'
import { selectGroups } from './groups-store.ts'

/** Lists groups with crashes, in the order that is asked for. The cursor is the id of the last group of a page. */
export async function listGroups(db: Db, applicationId: number, filter: GroupFilter): Promise<Paged<GroupRecord>> {
  const order = toOrder(filter)
  const filtered = selectFilteredGroups(db, applicationId, filter)
  let paged = filtered.orderBy(order, 'desc').orderBy('crash_groups.id', 'desc')
  const { cursor, limit } = filter
  if (cursor !== undefined) {
    const last = await db
      .selectFrom('crash_groups')
      .select(order.as('value'))
      .where('id', '=', cursor)
      .where('application_id', '=', applicationId)
      .executeTakeFirst()
    if (!last) {
      throw new ApiError('invalidRequest', { faults: [{ source: 'cursor', detail: 'is none that this list gave' }] })
    }
    // Compared as a row, so that both databases begin in the index where the page before ended.
    paged = paged.where(sql<SqlBool>`(${order}, crash_groups.id) < (${last.value}, ${cursor})`)
  }
  if (limit === undefined) return { items: await paged.execute() }
  const { count } = await filtered.clearSelect().select(countAll).executeTakeFirstOrThrow()
  return toPage(await paged.limit(limit + 1).execute(), filter, count)
}

/** The ids of all groups that a filter finds. */
export async function listGroupIds(db: Db, applicationId: number, filter: GroupFilter): Promise<number[]> {
  const rows = await selectFilteredGroups(db, applicationId, filter).clearSelect().select('crash_groups.id').execute()
  return rows.map(({ id }) => id)
}

/** Counts the open groups of applications that have any. */
export async function countOpenGroups(db: Db, applicationIds: number[]): Promise<Map<number, number>> {
  if (applicationIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('crash_groups')
    .select(['application_id', countAll])
    .where('application_id', 'in', applicationIds)
    .where('crash_count', '>', 0)
    .where((where) => hasStatus(where, 'open'))
    .groupBy('application_id')
    .execute()
  return new Map(rows.map(({ application_id, count }) => [application_id, count]))
}

function selectFilteredGroups(db: Db, applicationId: number, filter: GroupFilter) {
  return selectGroups(db)
    .where('crash_groups.application_id', '=', applicationId)
    .where('crash_groups.crash_count', '>', 0)
    .where((where) => where.and(toConditions(where, applicationId, filter)))
}

const sortColumns = {
  lastSeen: 'last_seen_at',
  firstSeen: 'first_seen_at',
  crashes: 'crash_count',
  installs: 'install_count',
} as const

/** The value that groups are ordered by. Crashes are those of the environment, if the list is of one. */
function toOrder({ sort = 'lastSeen', environment }: GroupFilter): RawBuilder<number> {
  const isCounted = sort === 'trend' || (sort === 'crashes' && environment !== undefined)
  if (!isCounted) return sql<number>`${sql.ref(`crash_groups.${sortColumns[sort]}`)}`
  const ofEnvironment = environment === undefined ? sql`` : sql`and releases.environment = ${environment}`
  const recent = sort === 'trend' ? sql`and crash_days.day > ${toDay(Date.now()) - trendDays}` : sql``
  return sql<number>`(
    select cast(coalesce(sum(crash_days.count), 0) as bigint) from crash_stacks
    join crash_days on crash_days.stack_id = crash_stacks.id
    join releases on releases.id = crash_days.release_id
    where crash_stacks.group_id = crash_groups.id ${ofEnvironment} ${recent})`
}

type Where = ExpressionBuilder<Schema, 'crash_groups'>

function toConditions(where: Where, applicationId: number, query: GroupFilter): Expression<SqlBool>[] {
  const { status, q, version, buildId } = query
  const conditions: Expression<SqlBool>[] = []
  if (status !== undefined) conditions.push(hasStatus(where, status))
  if (q) conditions.push(containsText(where, q))
  if (version !== undefined) conditions.push(crashedInVersion(where, version))
  if (buildId !== undefined) conditions.push(crashedInBuild(where, applicationId, buildId))
  if (query.kind !== undefined) conditions.push(where('crash_groups.kind', '=', query.kind))
  if (query.environment !== undefined) conditions.push(crashedInEnvironment(where, query.environment))
  const { assigneeId } = query
  if (assigneeId === 'none') conditions.push(where('crash_groups.assignee_id', 'is', null))
  else if (assigneeId !== undefined) conditions.push(where('crash_groups.assignee_id', '=', assigneeId))
  if (query.device !== undefined) conditions.push(hasValue(where, 'device', query.device))
  if (query.os !== undefined) conditions.push(hasValue(where, 'os', query.os))
  for (const tag of query.tag ?? []) conditions.push(hasValue(where, 'tag', tag))
  if (query.date !== undefined) conditions.push(crashedOnDay(where, toDay(Date.parse(query.date))))
  if (query.installIds !== undefined) conditions.push(crashedOnInstall(where, query.installIds))
  return conditions
}

/** A system may be named without its version. */
function hasValue(where: Where, kind: 'os' | 'device' | 'tag', value: string): Expression<SqlBool> {
  return where.exists(
    where
      .selectFrom('crash_stacks')
      .innerJoin('crash_values', 'crash_values.stack_id', 'crash_stacks.id')
      .select('crash_stacks.id')
      .whereRef('crash_stacks.group_id', '=', 'crash_groups.id')
      .where('crash_values.kind', '=', kind)
      .where((one) => {
        const isEqual = one('crash_values.value', '=', value)
        if (kind !== 'os') return isEqual
        const start = `${escapeLike(value)} %`
        return one.or([isEqual, sql<SqlBool>`crash_values.value like ${start} escape '\\'`])
      }),
  )
}

/** Selects the crashes of a group with their releases, for conditions on the release. */
function selectReleasesOf(where: Where) {
  return where
    .selectFrom('crash_stacks')
    .innerJoin('crash_days', 'crash_days.stack_id', 'crash_stacks.id')
    .innerJoin('releases', 'releases.id', 'crash_days.release_id')
    .select('crash_stacks.id')
    .whereRef('crash_stacks.group_id', '=', 'crash_groups.id')
}

function crashedInEnvironment(where: Where, environment: string): Expression<SqlBool> {
  return where.exists(selectReleasesOf(where).where('releases.environment', '=', environment))
}

function crashedOnDay(where: Where, day: number): Expression<SqlBool> {
  return where.exists(
    where
      .selectFrom('crash_stacks')
      .innerJoin('crash_days', 'crash_days.stack_id', 'crash_stacks.id')
      .select('crash_stacks.id')
      .whereRef('crash_stacks.group_id', '=', 'crash_groups.id')
      .where('crash_days.day', '=', day),
  )
}

function crashedOnInstall(where: Where, installIds: string[]): Expression<SqlBool> {
  return where.exists(
    where
      .selectFrom('crashes')
      .innerJoin('crash_stacks', 'crash_stacks.id', 'crashes.stack_id')
      .select('crashes.id')
      .whereRef('crash_stacks.group_id', '=', 'crash_groups.id')
      .where('crashes.install_id', 'in', installIds),
  )
}

/** A group that was ignored until a time that has passed counts as open. */
function hasStatus(where: Where, status: NonNullable<GroupFilter['status']>): Expression<SqlBool> {
  if (status === 'resolved') return where('crash_groups.status', '=', 'resolved')
  const isIgnored = where.and([
    where('crash_groups.status', '=', 'ignored'),
    where.or([where('crash_groups.ignored_until', 'is', null), where('crash_groups.ignored_until', '>', Date.now())]),
  ])
  if (status === 'ignored') return isIgnored
  return where.and([where('crash_groups.status', '!=', 'resolved'), where.not(isIgnored)])
}

function containsText(where: Where, searched: string): Expression<SqlBool> {
  const text = `%${escapeLike(searched.toLowerCase())}%`
  const fits = (name: 'title' | 'culprit' | 'key' | 'message') =>
    sql<SqlBool>`lower(${sql.ref(`crash_groups.${name}`)}) like ${text} escape '\\'`
  return where.or([fits('title'), fits('culprit'), fits('key'), fits('message')])
}

function crashedInVersion(where: Where, version: string): Expression<SqlBool> {
  return where.exists(
    selectReleasesOf(where).where((release) =>
      release.or([release('releases.version', '=', version), release('releases.short_version', '=', version)]),
    ),
  )
}

/** A release without a short version stands for every build with its version. */
function crashedInBuild(where: Where, applicationId: number, buildId: number): Expression<SqlBool> {
  return where.exists(
    selectReleasesOf(where)
      .innerJoin('builds', 'builds.version', 'releases.version')
      .where('builds.id', '=', buildId)
      .where('builds.application_id', '=', applicationId)
      .where((release) =>
        release.or([
          release('releases.short_version', '=', ''),
          release('releases.short_version', '=', release.ref('builds.short_version')),
        ]),
      ),
  )
}
