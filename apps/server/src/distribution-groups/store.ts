import type { Page } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import { visibleBuilds } from '../db/visible-builds.ts'
import type { Row } from '../db/schema.ts'
import { type Paged, toPage } from '../db/paging.ts'
import type { GroupRecord } from './distribution-group.ts'
import { toNameKey } from './name-key.ts'

function selectGroups(db: Db, workspaceId: number) {
  return db
    .selectFrom('distribution_groups')
    .selectAll('distribution_groups')
    .select((select) => [
      select
        .selectFrom('group_testers')
        .whereRef('group_id', '=', 'distribution_groups.id')
        .select((count) => count.fn.countAll<number>().as('count'))
        .$asScalar()
        .$notNull()
        .as('tester_count'),
      select
        .selectFrom('build_groups')
        .innerJoin(visibleBuilds, 'builds.id', 'build_groups.build_id')
        .whereRef('build_groups.group_id', '=', 'distribution_groups.id')
        .select((count) => count.fn.countAll<number>().as('count'))
        .$asScalar()
        .$notNull()
        .as('build_count'),
    ])
    .where('workspace_id', '=', workspaceId)
}

export async function findGroup(db: Db, workspaceId: number, id: number): Promise<GroupRecord | undefined> {
  return selectGroups(db, workspaceId).where('id', '=', id).executeTakeFirst()
}

export async function listGroupRowsById(
  db: Db,
  workspaceId: number,
  ids: number[],
): Promise<Row<'distribution_groups'>[]> {
  return db
    .selectFrom('distribution_groups')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .execute()
}

export async function listGroupRowsByName(
  db: Db,
  workspaceId: number,
  names: string[],
): Promise<Row<'distribution_groups'>[]> {
  return db
    .selectFrom('distribution_groups')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('name_key', 'in', names.map(toNameKey))
    .execute()
}

export async function listGroupRecords(db: Db, workspaceId: number, page: Page): Promise<Paged<GroupRecord>> {
  let query = selectGroups(db, workspaceId).orderBy('id', 'desc')
  const { cursor } = page
  if (cursor !== undefined) query = query.where('id', '<', cursor)
  if (page.limit === undefined) return { items: await query.execute() }
  const rows = await query.limit(page.limit + 1).execute()
  const { count } = await db
    .selectFrom('distribution_groups')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return toPage(rows, page, count)
}

export async function insertGroup(db: Db, workspaceId: number, name: string): Promise<number> {
  const { id } = await db
    .insertInto('distribution_groups')
    .values({ workspace_id: workspaceId, name, name_key: toNameKey(name), created_at: Date.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateGroupName(db: Db, workspaceId: number, id: number, name: string): Promise<void> {
  await db
    .updateTable('distribution_groups')
    .set({ name, name_key: toNameKey(name) })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Returns whether the group existed. */
export async function deleteGroup(db: Db, workspaceId: number, id: number): Promise<boolean> {
  const deleted = await db
    .deleteFrom('distribution_groups')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}
