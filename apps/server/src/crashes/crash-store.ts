import { ApiError, type Page } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import { type Paged, toPage } from '../db/paging.ts'
import type { Row } from '../db/schema.ts'

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
