import { ApiError, type CrashGroupQuery, type MissingSymbols, type Page } from '@fairlead/contract'
import { type Expression, sql, type SqlBool } from 'kysely'
import type { Db } from '../db/open.ts'
import { type Paged, toPage } from '../db/paging.ts'
import type { Row } from '../db/schema.ts'
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
  const now = Date.now()
  const filtered = selectGroups(db)
    .where('crash_groups.application_id', '=', applicationId)
    .where('crash_groups.crash_count', '>', 0)
    .where((where) => {
      const conditions: Expression<SqlBool>[] = []
      const isIgnored = where.and([
        where('crash_groups.status', '=', 'ignored'),
        where.or([where('crash_groups.ignored_until', 'is', null), where('crash_groups.ignored_until', '>', now)]),
      ])
      if (query.status === 'resolved') conditions.push(where('crash_groups.status', '=', 'resolved'))
      if (query.status === 'ignored') conditions.push(isIgnored)
      if (query.status === 'open') {
        conditions.push(where.and([where('crash_groups.status', '!=', 'resolved'), where.not(isIgnored)]))
      }
      if (query.q !== undefined && query.q !== '') {
        const text = `%${query.q.toLowerCase().replace(/[\\%_]/g, String.raw`\$&`)}%`
        const fits = (name: 'title' | 'culprit' | 'key') =>
          sql<SqlBool>`lower(${sql.ref(`crash_groups.${name}`)}) like ${text} escape '\\'`
        conditions.push(where.or([fits('title'), fits('culprit'), fits('key')]))
      }
      if (query.version !== undefined) {
        const { version } = query
        conditions.push(
          where.exists(
            where
              .selectFrom('crash_stacks')
              .innerJoin('crash_days', 'crash_days.stack_id', 'crash_stacks.id')
              .innerJoin('releases', 'releases.id', 'crash_days.release_id')
              .select('crash_stacks.id')
              .whereRef('crash_stacks.group_id', '=', 'crash_groups.id')
              .where((release) =>
                release.or([
                  release('releases.version', '=', version),
                  release('releases.short_version', '=', version),
                ]),
              ),
          ),
        )
      }
      if (query.buildId !== undefined) {
        conditions.push(
          where.exists(
            where
              .selectFrom('crash_stacks')
              .innerJoin('crash_days', 'crash_days.stack_id', 'crash_stacks.id')
              .innerJoin('releases', 'releases.id', 'crash_days.release_id')
              .innerJoin('builds', 'builds.version', 'releases.version')
              .select('crash_stacks.id')
              .whereRef('crash_stacks.group_id', '=', 'crash_groups.id')
              .where('builds.id', '=', query.buildId)
              .where('builds.application_id', '=', applicationId)
              .where((release) =>
                release.or([
                  release('releases.short_version', '=', ''),
                  release('releases.short_version', '=', release.ref('builds.short_version')),
                ]),
              ),
          ),
        )
      }
      return where.and(conditions)
    })
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

export interface CrashRecord extends Row<'crashes'> {
  group_id: number
  package: string | null
  short_version: string | null
  version: string | null
}

function selectCrashes(db: Db) {
  return db
    .selectFrom('crashes')
    .innerJoin('crash_stacks', 'crash_stacks.id', 'crashes.stack_id')
    .leftJoin('releases', 'releases.id', 'crashes.release_id')
    .selectAll('crashes')
    .select(['crash_stacks.group_id', 'releases.package', 'releases.short_version', 'releases.version'])
}

export async function listGroupCrashes(db: Db, group: Row<'crash_groups'>, page: Page): Promise<Paged<CrashRecord>> {
  let query = selectCrashes(db).where('crash_stacks.group_id', '=', group.id).orderBy('crashes.id', 'desc')
  if (page.cursor !== undefined) query = query.where('crashes.id', '<', page.cursor)
  if (page.limit === undefined) return { items: await query.execute() }
  return toPage(await query.limit(page.limit + 1).execute(), page, group.crash_count)
}

/** A crash with its stack and its report, if that is kept. @throws {ApiError} crashNotFound */
export async function requireCrashRow(db: Db, workspaceId: number, id: number) {
  const row = await selectCrashes(db)
    .innerJoin('applications', 'applications.id', 'crashes.application_id')
    .leftJoin('crash_reports', 'crash_reports.crash_id', 'crashes.id')
    .select(['crash_stacks.content', 'crash_stacks.resolved', 'crash_reports.body as report'])
    .where('crashes.id', '=', id)
    .where('applications.workspace_id', '=', workspaceId)
    .executeTakeFirst()
  if (!row) throw new ApiError('crashNotFound')
  return row
}

/** The UUIDs of images that a stack waits for. */
export async function listMissingRefs(db: Db, stackId: number): Promise<Pick<Row<'crash_waits'>, 'kind' | 'ref'>[]> {
  return db
    .selectFrom('crash_waits')
    .select(['kind', 'ref'])
    .where('stack_id', '=', stackId)
    .where('is_found', '=', 0)
    .where('is_needed', '=', 1)
    .orderBy('ref')
    .execute()
}

/** Finds the newest build of a release. */
export async function findBuildOfRelease(
  db: Db,
  applicationId: number,
  release: { short_version: string | null; version: string | null },
): Promise<number | null> {
  if (!release.version) return null
  let query = db
    .selectFrom('builds')
    .select('id')
    .where('application_id', '=', applicationId)
    .where('version', '=', release.version)
  if (release.short_version) query = query.where('short_version', '=', release.short_version)
  return (await query.orderBy('id', 'desc').limit(1).executeTakeFirst())?.id ?? null
}

export async function listGroupDays(db: Db, groupId: number): Promise<{ day: number; count: number }[]> {
  return db
    .selectFrom('crash_days')
    .innerJoin('crash_stacks', 'crash_stacks.id', 'crash_days.stack_id')
    .select(['day', sumOf('count').as('count')])
    .where('group_id', '=', groupId)
    .groupBy('day')
    .orderBy('day')
    .execute()
}

export async function listGroupReleases(db: Db, groupId: number) {
  return db
    .selectFrom('crash_days')
    .innerJoin('crash_stacks', 'crash_stacks.id', 'crash_days.stack_id')
    .innerJoin('releases', 'releases.id', 'crash_days.release_id')
    .selectAll('releases')
    .select(sumOf('count').as('count'))
    .where('group_id', '=', groupId)
    .groupBy('releases.id')
    .execute()
}

export async function listReleaseSketches(db: Db, groupId: number): Promise<Row<'crash_sketches'>[]> {
  return db
    .selectFrom('crash_sketches')
    .innerJoin('crash_stacks', 'crash_stacks.id', 'crash_sketches.stack_id')
    .selectAll('crash_sketches')
    .where('group_id', '=', groupId)
    .execute()
}

/** PostgreSQL's sum of bigint is numeric, which its driver returns as text. */
function sumOf(column: string) {
  return sql<number>`cast(sum(${sql.ref(column)}) as bigint)`
}

/** The most values that are listed of one kind, because there are more devices than anybody reads. */
const maxValues = 200

export async function listGroupValues(
  db: Db,
  groupId: number,
  kind: 'os' | 'device',
): Promise<{ value: string; count: number }[]> {
  return db
    .selectFrom('crash_values')
    .innerJoin('crash_stacks', 'crash_stacks.id', 'crash_values.stack_id')
    .select(['value', sumOf('count').as('count')])
    .where('group_id', '=', groupId)
    .where('crash_values.kind', '=', kind)
    .groupBy('value')
    .orderBy('count', 'desc')
    .limit(maxValues)
    .execute()
}

/** The stacks of a group with the most crashes. */
export async function listLargestStacks(db: Db, groupId: number) {
  return db
    .selectFrom('crash_stacks')
    .select((select) => [
      'id',
      'crash_count',
      'pinned_group_id',
      // `first_crash_id` names a crash that may be deleted since.
      select
        .selectFrom('crashes')
        .select('crashes.id')
        .whereRef('crashes.stack_id', '=', 'crash_stacks.id')
        .orderBy('crashes.id')
        .limit(1)
        .as('first_crash_id'),
    ])
    .where('group_id', '=', groupId)
    .orderBy('crash_count', 'desc')
    .orderBy('id')
    .limit(maxValues)
    .execute()
}

export async function listSessionDays(db: Db, applicationId: number, version: string | undefined) {
  let query = db
    .selectFrom('session_days')
    .innerJoin('releases', 'releases.id', 'session_days.release_id')
    .selectAll('session_days')
    .select(['releases.package', 'releases.short_version', 'releases.version'])
    .where('session_days.application_id', '=', applicationId)
    .orderBy('session_days.day', 'desc')
    .orderBy('session_days.release_id', 'desc')
  if (version !== undefined) {
    query = query.where((where) =>
      where.or([where('releases.version', '=', version), where('releases.short_version', '=', version)]),
    )
  }
  return query.limit(10_000).execute()
}

/** Lists symbols that are missing, those that most crashes wait for first. */
export async function listMissingSymbols(db: Db, applicationId: number): Promise<MissingSymbols[]> {
  const rows = await db
    .selectFrom('crash_waits')
    .innerJoin('crash_stacks', 'crash_stacks.id', 'crash_waits.stack_id')
    .leftJoin('releases', 'releases.id', 'crash_waits.release_id')
    .select((select) => [
      'crash_waits.kind',
      'crash_waits.ref',
      select.fn.max('crash_waits.name').as('name'),
      select.fn.max('releases.package').as('package'),
      select.fn.max('releases.short_version').as('short_version'),
      select.fn.max('releases.version').as('version'),
      select.fn.countAll<number>().as('stack_count'),
      sumOf('crash_stacks.crash_count').as('crash_count'),
    ])
    .where('crash_waits.application_id', '=', applicationId)
    .where('is_found', '=', 0)
    .where('is_needed', '=', 1)
    .groupBy(['crash_waits.kind', 'crash_waits.ref'])
    .orderBy('crash_count', 'desc')
    .orderBy('crash_waits.ref')
    .limit(1000)
    .execute()
  return rows.map(({ ref, ...row }) => ({
    kind: row.kind,
    uuid: row.kind === 'dsym' ? ref : ref.startsWith('id:') ? ref.slice('id:'.length) : null,
    name: row.name,
    package: row.package || null,
    shortVersion: row.short_version || null,
    version: row.version || null,
    stackCount: row.stack_count,
    crashCount: row.crash_count,
  }))
}

/** Deletes the crashes of an install with their reports. Returns their stacks. */
export async function deleteCrashesOfInstall(trx: Db, applicationId: number, installId: string): Promise<number[]> {
  const rows = await trx
    .deleteFrom('crashes')
    .where('application_id', '=', applicationId)
    .where('install_id', '=', installId)
    .returning('stack_id')
    .execute()
  return [...new Set(rows.map((row) => row.stack_id))]
}

export async function listSketchesOf(trx: Db, stackId: number): Promise<Row<'crash_sketches'>[]> {
  return trx.selectFrom('crash_sketches').selectAll().where('stack_id', '=', stackId).execute()
}

export async function listGroupIdsOf(trx: Db, stackIds: number[]): Promise<number[]> {
  const rows = await trx.selectFrom('crash_stacks').select('group_id').distinct().where('id', 'in', stackIds).execute()
  return rows.map((row) => row.group_id)
}

export async function isMember(db: Db, workspaceId: number, accountId: number): Promise<boolean> {
  const row = await db
    .selectFrom('members')
    .select('account_id')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row !== undefined
}
