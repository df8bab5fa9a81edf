import type { Insertable, Updateable } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Row, Schema } from '../db/schema.ts'
import type { LatestLinkRecord } from './latest-link.ts'

function selectRecords(db: Db) {
  return db
    .selectFrom('latest_links')
    .innerJoin('applications', 'applications.id', 'latest_links.application_id')
    .leftJoin('distribution_groups', 'distribution_groups.id', 'latest_links.group_id')
    .selectAll('latest_links')
    .select(['applications.name as application_name', 'distribution_groups.name as group_name'])
}

export async function findLatestLinkRow(
  db: Db,
  workspaceId: number,
  id: number,
): Promise<LatestLinkRecord | undefined> {
  return selectRecords(db)
    .where('latest_links.workspace_id', '=', workspaceId)
    .where('latest_links.id', '=', id)
    .executeTakeFirst()
}

/** Finds a link by the secret in its address, which authorizes the request, so there is no workspace to check. */
export async function findLatestLinkBySecret(db: Db, secret: string): Promise<LatestLinkRecord | undefined> {
  return selectRecords(db).where('latest_links.secret', '=', secret).executeTakeFirst()
}

/** Finds a link in any workspace, for a download grant, whose signature authorizes the request. */
export async function findLatestLinkById(db: Db, id: number): Promise<LatestLinkRecord | undefined> {
  return selectRecords(db).where('latest_links.id', '=', id).executeTakeFirst()
}

/** Lists the links of an application, newest first. */
export async function listLatestLinkRows(db: Db, applicationId: number): Promise<LatestLinkRecord[]> {
  return selectRecords(db)
    .where('latest_links.application_id', '=', applicationId)
    .orderBy('latest_links.id', 'desc')
    .execute()
}

export async function countLatestLinks(db: Db, applicationId: number): Promise<number> {
  const { count } = await db
    .selectFrom('latest_links')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('application_id', '=', applicationId)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertLatestLink(db: Db, values: Insertable<Schema['latest_links']>): Promise<number> {
  const { id } = await db.insertInto('latest_links').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Returns whether the link still exists. */
export async function updateLatestLinkRow(
  db: Db,
  { workspace_id: workspaceId, id }: Pick<Row<'latest_links'>, 'workspace_id' | 'id'>,
  values: Updateable<Schema['latest_links']>,
): Promise<boolean> {
  const updated = await db
    .updateTable('latest_links')
    .set(values)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}

/** Returns whether there was such a link. */
export async function deleteLatestLink(db: Db, workspaceId: number, id: number): Promise<boolean> {
  const deleted = await db
    .deleteFrom('latest_links')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}
