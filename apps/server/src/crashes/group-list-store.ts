import { ApiError, type CrashGroupQuery } from '@fairlead/contract'
import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import type { Db } from '../db/open.ts'
import { type Paged, toPage } from '../db/paging.ts'
import type { Schema } from '../db/schema.ts'
import type { GroupRecord } from './crash-group.ts'
import { selectGroups } from './groups-store.ts'

const sortColumns = {
  lastSeen: 'last_seen_at',
  firstSeen: 'first_seen_at',
  crashes: 'crash_count',
  installs: 'install_count',
} as const

/** Lists groups with crashes, in the order that is asked for. The cursor is the id of the last group of a page. */
export async function listGroups(db: Db, applicationId: number, query: CrashGroupQuery): Promise<Paged<GroupRecord>> {
  const column = sortColumns[query.sort ?? 'lastSeen']
  const filtered = selectGroups(db)
    .where('crash_groups.application_id', '=', applicationId)
    .where('crash_groups.crash_count', '>', 0)
    .where((where) => where.and(toConditions(where, applicationId, query)))
  let paged = filtered.orderBy(`crash_groups.${column}`, 'desc').orderBy('crash_groups.id', 'desc')
  if (query.cursor !== undefined) {
    const last = await db.selectFrom('crash_groups').selectAll().where('id', '=', query.cursor).executeTakeFirst()
    if (last?.application_id !== applicationId) {
      throw new ApiError('invalidRequest', { faults: [{ source: 'cursor', detail: 'is none that this list gave' }] })
    }
    paged = paged.where((where) =>
      where.or([
        where(`crash_groups.${column}`, '<', last[column]),
        where.and([where(`crash_groups.${column}`, '=', last[column]), where('crash_groups.id', '<', last.id)]),
      ]),
    )
  }
  if (query.limit === undefined) return { items: await paged.execute() }
  const { count } = await filtered
    .clearSelect()
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return toPage(await paged.limit(query.limit + 1).execute(), query, count)
}

type Where = ExpressionBuilder<Schema, 'crash_groups'>

function toConditions(where: Where, applicationId: number, query: CrashGroupQuery): Expression<SqlBool>[] {
  const { status, q, version, buildId } = query
  const conditions: Expression<SqlBool>[] = []
  if (status !== undefined) conditions.push(hasStatus(where, status))
  if (q) conditions.push(containsText(where, q))
  if (version !== undefined) conditions.push(crashedInVersion(where, version))
  if (buildId !== undefined) conditions.push(crashedInBuild(where, applicationId, buildId))
  return conditions
}

/** A group that was ignored until a time that has passed counts as open. */
function hasStatus(where: Where, status: NonNullable<CrashGroupQuery['status']>): Expression<SqlBool> {
  if (status === 'resolved') return where('crash_groups.status', '=', 'resolved')
  const isIgnored = where.and([
    where('crash_groups.status', '=', 'ignored'),
    where.or([where('crash_groups.ignored_until', 'is', null), where('crash_groups.ignored_until', '>', Date.now())]),
  ])
  if (status === 'ignored') return isIgnored
  return where.and([where('crash_groups.status', '!=', 'resolved'), where.not(isIgnored)])
}

function containsText(where: Where, searched: string): Expression<SqlBool> {
  const text = `%${searched.toLowerCase().replace(/[\\%_]/g, String.raw`\$&`)}%`
  const fits = (name: 'title' | 'culprit' | 'key') =>
    sql<SqlBool>`lower(${sql.ref(`crash_groups.${name}`)}) like ${text} escape '\\'`
  return where.or([fits('title'), fits('culprit'), fits('key')])
}

function crashedInVersion(where: Where, version: string): Expression<SqlBool> {
  return where.exists(
    where
      .selectFrom('crash_stacks')
      .innerJoin('crash_days', 'crash_days.stack_id', 'crash_stacks.id')
      .innerJoin('releases', 'releases.id', 'crash_days.release_id')
      .select('crash_stacks.id')
      .whereRef('crash_stacks.group_id', '=', 'crash_groups.id')
      .where((release) =>
        release.or([release('releases.version', '=', version), release('releases.short_version', '=', version)]),
      ),
  )
}

/** A release without a short version stands for every build with its version. */
function crashedInBuild(where: Where, applicationId: number, buildId: number): Expression<SqlBool> {
  return where.exists(
    where
      .selectFrom('crash_stacks')
      .innerJoin('crash_days', 'crash_days.stack_id', 'crash_stacks.id')
      .innerJoin('releases', 'releases.id', 'crash_days.release_id')
      .innerJoin('builds', 'builds.version', 'releases.version')
      .select('crash_stacks.id')
      .whereRef('crash_stacks.group_id', '=', 'crash_groups.id')
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
