import { ApiError, type CrashesQuery } from '@fairlead/contract'
import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import { escapeLike } from '../db/escape-like.ts'
import type { Db } from '../db/open.ts'
import { visibleBuilds } from '../db/visible-builds.ts'
import { countAll, type Paged, toPage } from '../db/paging.ts'
import type { Row, Schema } from '../db/schema.ts'

export interface CrashRecord extends Row<'crashes'> {
  group_id: number
  package: string | null
  short_version: string | null
  version: string | null
  environment: string | null
}

function selectCrashes(db: Db) {
  return db
    .selectFrom('crashes')
    .innerJoin('crash_stacks', 'crash_stacks.id', 'crashes.stack_id')
    .leftJoin('releases', 'releases.id', 'crashes.release_id')
    .selectAll('crashes')
    .select([
      'crash_stacks.group_id',
      'releases.package',
      'releases.short_version',
      'releases.version',
      'releases.environment',
    ])
}

export interface CrashFilter extends Omit<CrashesQuery, 'installId'> {
  /** Hashed. */
  installIds?: string[] | undefined
}

/** Lists crashes of a group by when they occurred, newest first. The cursor is the id of the last one of a page. */
export async function listGroupCrashes(
  db: Db,
  group: Row<'crash_groups'>,
  filter: CrashFilter,
): Promise<Paged<CrashRecord>> {
  const filtered = selectCrashes(db)
    .where('crash_stacks.group_id', '=', group.id)
    .where((where) => where.and(toConditions(where, filter)))
  let query = filtered.orderBy('crashes.occurred_at', 'desc').orderBy('crashes.id', 'desc')
  const { cursor, limit } = filter
  if (cursor !== undefined) {
    const last = await db.selectFrom('crashes').select('occurred_at').where('id', '=', cursor).executeTakeFirst()
    if (!last) {
      throw new ApiError('invalidRequest', { faults: [{ source: 'cursor', detail: 'is none that this list gave' }] })
    }
    query = query.where((where) =>
      where.or([
        where('crashes.occurred_at', '<', last.occurred_at),
        where.and([where('crashes.occurred_at', '=', last.occurred_at), where('crashes.id', '<', cursor)]),
      ]),
    )
  }
  if (limit === undefined) return { items: await query.execute() }
  const { count } = await filtered.clearSelect().select(countAll).executeTakeFirstOrThrow()
  return toPage(await query.limit(limit + 1).execute(), filter, count)
}

const dayMs = 24 * 60 * 60 * 1000

type Where = ExpressionBuilder<Schema & { releases: Nullable<Row<'releases'>> }, 'crashes' | 'releases'>
type Nullable<Type> = { [Key in keyof Type]: Type[Key] | null }

function toConditions(where: Where, filter: CrashFilter): Expression<SqlBool>[] {
  const { version, environment, device, os, tag, installIds } = filter
  const conditions: Expression<SqlBool>[] = []
  if (version !== undefined) {
    conditions.push(where.or([where('releases.version', '=', version), where('releases.short_version', '=', version)]))
  }
  if (environment !== undefined) conditions.push(where('releases.environment', '=', environment))
  if (device !== undefined) conditions.push(where('crashes.device_model', '=', device))
  if (os !== undefined) {
    const full = sql<string>`coalesce(crashes.os_name, '') || ' ' || coalesce(crashes.os_version, '')`
    conditions.push(where.or([where('crashes.os_name', '=', os), sql<SqlBool>`trim(${full}) = ${os}`]))
  }
  for (const one of tag ?? []) conditions.push(hasTag(one))
  if (filter.date !== undefined) {
    const start = Date.parse(filter.date)
    conditions.push(where('crashes.occurred_at', '>=', start), where('crashes.occurred_at', '<', start + dayMs))
  }
  if (installIds !== undefined) conditions.push(where('crashes.install_id', 'in', installIds))
  return conditions
}

/** Looks for the member of the JSON object, whose keys and values `JSON.stringify` has escaped. */
function hasTag(tag: string): Expression<SqlBool> {
  const colon = tag.indexOf(':')
  const member = `${JSON.stringify(tag.slice(0, colon))}:${JSON.stringify(tag.slice(colon + 1))}`
  const pattern = `%${escapeLike(member)}%`
  return sql<SqlBool>`crashes.tags like ${pattern} escape '\\'`
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
    .selectFrom(visibleBuilds)
    .select('id')
    .where('application_id', '=', applicationId)
    .where('version', '=', release.version)
  if (release.short_version) query = query.where('short_version', '=', release.short_version)
  return (await query.orderBy('id', 'desc').limit(1).executeTakeFirst())?.id ?? null
}

export type BuildOfVersion = Pick<Row<'builds'>, 'id' | 'short_version' | 'version' | 'uploaded_at'>

/** A version has few builds; of more than these the newest count. */
const maxBuildsOfVersion = 500

/** The builds of a version, which may be the short one or a build number, oldest first. */
export async function listBuildsOfVersion(db: Db, applicationId: number, version: string): Promise<BuildOfVersion[]> {
  const newest = await db
    .selectFrom(visibleBuilds)
    .select(['id', 'short_version', 'version', 'uploaded_at'])
    .where('application_id', '=', applicationId)
    .where((where) => where.or([where('short_version', '=', version), where('version', '=', version)]))
    .orderBy('id', 'desc')
    .limit(maxBuildsOfVersion)
    .execute()
  return newest.toReversed()
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
