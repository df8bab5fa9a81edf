import { ApiError } from '@fairlead/contract'
import type { Insertable, Updateable } from 'kysely'
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import type { Row, Schema } from '../db/schema.ts'
import { unmarkLasting, unmarkLastingOfGroups } from './lasting-store.ts'

export async function findGroupOfKey(
  db: Db,
  applicationId: number,
  keyHash: string,
): Promise<Row<'crash_group_keys'> | undefined> {
  return db
    .selectFrom('crash_group_keys')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('key_hash', '=', keyHash)
    .executeTakeFirst()
}

export async function insertGroup(trx: Db, values: Insertable<Schema['crash_groups']>): Promise<number> {
  const { id } = await trx.insertInto('crash_groups').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function insertGroupKey(trx: Db, values: Insertable<Schema['crash_group_keys']>): Promise<void> {
  await trx.insertInto('crash_group_keys').values(values).execute()
}

/** Gives the keys of groups to another group, marked as done by hand. */
export async function moveGroupKeys(trx: Db, fromIds: number[], toId: number): Promise<void> {
  await trx
    .updateTable('crash_group_keys')
    .set({ group_id: toId, is_manual: 1 })
    .where('group_id', 'in', [...fromIds, toId])
    .execute()
}

export async function moveStacks(trx: Db, fromIds: number[], toId: number): Promise<void> {
  await unmarkLastingOfGroups(trx, fromIds)
  await trx.updateTable('crash_stacks').set({ group_id: toId }).where('group_id', 'in', fromIds).execute()
  await trx.updateTable('crash_stacks').set({ pinned_group_id: toId }).where('pinned_group_id', 'in', fromIds).execute()
}

/** Pins stacks of a group to another. Returns how many there were. */
export async function pinStacks(trx: Db, groupId: number, stackIds: number[], toId: number): Promise<number> {
  await unmarkLasting(trx, stackIds)
  const { numUpdatedRows } = await trx
    .updateTable('crash_stacks')
    .set({ group_id: toId, pinned_group_id: toId })
    .where('group_id', '=', groupId)
    .where('id', 'in', stackIds)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function listGroupsById(db: Db, ids: number[]): Promise<Map<number, Row<'crash_groups'>>> {
  const rows = await selectInBatches(ids, (batch) =>
    db.selectFrom('crash_groups').selectAll().where('id', 'in', batch).execute(),
  )
  return new Map(rows.map((row) => [row.id, row]))
}

export async function updateGroup(trx: Db, id: number, values: Updateable<Schema['crash_groups']>): Promise<void> {
  if (Object.keys(values).length === 0) return
  await trx.updateTable('crash_groups').set(values).where('id', '=', id).execute()
}

/** Deletes a group with its stacks, their crashes and counts. */
export async function deleteGroup(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom('crash_stacks').where('group_id', '=', id).execute()
  await trx.deleteFrom('crash_groups').where('id', '=', id).execute()
}

/** Returns a group with its workspace. @throws {ApiError} crashGroupNotFound */
export async function requireGroupRow(
  db: Db,
  workspaceId: number,
  id: number,
): Promise<Row<'crash_groups'> & { assignee_name: string | null; assignee_email: string | null }> {
  const row = await selectGroups(db)
    .innerJoin('applications', 'applications.id', 'crash_groups.application_id')
    .where('crash_groups.id', '=', id)
    .where('applications.workspace_id', '=', workspaceId)
    .executeTakeFirst()
  if (!row) throw new ApiError('crashGroupNotFound')
  return row
}

export function selectGroups(db: Db) {
  return db
    .selectFrom('crash_groups')
    .leftJoin('accounts', 'accounts.id', 'crash_groups.assignee_id')
    .selectAll('crash_groups')
    .select(['accounts.name as assignee_name', 'accounts.email as assignee_email'])
}

/** The totals of a group are summed up from these, one row for each of its stacks. */
export async function listGroupStacks(
  db: Db,
  groupId: number,
): Promise<
  Pick<
    Row<'crash_stacks'>,
    'id' | 'crash_count' | 'first_seen_at' | 'last_seen_at' | 'first_release_id' | 'last_release_id'
  >[]
> {
  return db
    .selectFrom('crash_stacks')
    .select(['id', 'crash_count', 'first_seen_at', 'last_seen_at', 'first_release_id', 'last_release_id'])
    .where('group_id', '=', groupId)
    .execute()
}

export async function listGroupSketches(db: Db, groupId: number): Promise<Uint8Array[]> {
  const rows = await db
    .selectFrom('crash_sketches')
    .innerJoin('crash_stacks', 'crash_stacks.id', 'crash_sketches.stack_id')
    .select('crash_sketches.sketch')
    .where('crash_stacks.group_id', '=', groupId)
    .execute()
  return rows.map(({ sketch }) => sketch)
}
