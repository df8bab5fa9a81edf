import type { Page, Platform } from '@fairlead/contract'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Db } from '../db/open.ts'
import { visibleBuilds } from '../db/visible-builds.ts'
import type { Schema } from '../db/schema.ts'
import { type Paged, toPage } from '../db/paging.ts'
import type { ApplicationRecord, ApplicationRow } from './application.ts'

/** Selects applications with their newest build; the index on (application_id, id) finds it without a scan. */
function selectRecords(db: Db, workspaceId: number) {
  return db
    .selectFrom('applications')
    .leftJoin('builds as latest', (join) =>
      join.on('latest.id', '=', (on) =>
        on
          .selectFrom(visibleBuilds)
          .select('builds.id')
          .whereRef('builds.application_id', '=', 'applications.id')
          .orderBy('builds.id', 'desc')
          // As a parameter, PostgreSQL would expect it to be a tenth of the builds, and plan each request anew.
          .limit(sql.lit(1)),
      ),
    )
    .selectAll('applications')
    .select([
      'latest.id as latest_id',
      'latest.short_version as latest_short_version',
      'latest.version as latest_version',
      'latest.uploaded_at as latest_uploaded_at',
      'latest.secret as latest_secret',
      'latest.icon_blob_id as latest_icon_blob_id',
    ])
    .where('applications.workspace_id', '=', workspaceId)
}

export async function findApplication(db: Db, workspaceId: number, id: number): Promise<ApplicationRecord | undefined> {
  return selectRecords(db, workspaceId).where('applications.id', '=', id).executeTakeFirst()
}

export async function findApplicationByAlias(
  db: Db,
  workspaceId: number,
  alias: string,
): Promise<ApplicationRow | undefined> {
  return db
    .selectFrom('applications')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('alias', '=', alias)
    .executeTakeFirst()
}

export async function findApplicationByIdentifier(
  db: Db,
  workspaceId: number,
  platform: Platform,
  bundleIdentifier: string,
): Promise<ApplicationRow | undefined> {
  return db
    .selectFrom('applications')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('platform', '=', platform)
    .where('bundle_identifier', '=', bundleIdentifier)
    .executeTakeFirst()
}

export async function listApplicationRecords(
  db: Db,
  workspaceId: number,
  page: Page,
): Promise<Paged<ApplicationRecord>> {
  let query = selectRecords(db, workspaceId).orderBy('applications.id', 'desc')
  const { cursor } = page
  if (cursor !== undefined) query = query.where('applications.id', '<', cursor)
  if (page.limit === undefined) return { items: await query.execute() }
  const rows = await query.limit(page.limit + 1).execute()
  return toPage(rows, page, await countApplications(db, workspaceId))
}

async function countApplications(db: Db, workspaceId: number): Promise<number> {
  const { count } = await db
    .selectFrom('applications')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertApplication(db: Db, values: Insertable<Schema['applications']>): Promise<number> {
  const { id } = await db.insertInto('applications').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function insertStartingRules(trx: Db, rows: Insertable<Schema['alert_rules']>[]): Promise<void> {
  await trx.insertInto('alert_rules').values(rows).execute()
}

export async function updateApplicationRow(
  db: Db,
  workspaceId: number,
  id: number,
  values: Updateable<Schema['applications']>,
): Promise<void> {
  if (Object.keys(values).length === 0) return
  await db
    .updateTable('applications')
    .set(values)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/**
 * Locks an application until the transaction ends, so that only one transaction at a time changes the application, its
 * builds and its symbols. Returns undefined when it was deleted.
 */
export async function lockApplicationRow(trx: Db, id: number): Promise<ApplicationRow | undefined> {
  // Updating the row locks it on both databases.
  return trx
    .updateTable('applications')
    .set((update) => ({ name: update.ref('name') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function setIdentifier(trx: Db, id: number, bundleIdentifier: string): Promise<void> {
  await trx.updateTable('applications').set({ bundle_identifier: bundleIdentifier }).where('id', '=', id).execute()
}

/** Deletes an application row; its builds and symbols files are deleted by cascade. */
export async function deleteApplicationRow(trx: Db, workspaceId: number, id: number): Promise<void> {
  await trx.deleteFrom('applications').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** Deletes some deliveries that wait to be read. Returns how many there were. */
export async function deleteSomeDeliveries(db: Db, applicationId: number): Promise<number> {
  const ids = db.selectFrom('crash_inbox').select('id').where('application_id', '=', applicationId).limit(20)
  const { numDeletedRows } = await db.deleteFrom('crash_inbox').where('id', 'in', ids).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
