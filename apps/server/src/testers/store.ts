import type { Page } from '@fairlead/contract'
import type { Insertable } from 'kysely'
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import type { Row, Schema } from '../db/schema.ts'
import { type Paged, toPage } from '../db/paging.ts'
import type { TesterRecord } from './tester.ts'

/** Returns the testers of the workspace, or those of one group. */
export async function listTesterRecords(
  db: Db,
  workspaceId: number,
  page: Page,
  groupId?: number,
): Promise<Paged<TesterRecord>> {
  let query = selectTesters(db, workspaceId, groupId).selectAll('testers').orderBy('testers.id', 'desc')
  const { cursor } = page
  if (cursor !== undefined) query = query.where('testers.id', '<', cursor)
  if (page.limit === undefined) return { items: await addGroups(db, await query.execute()) }
  const rows = await query.limit(page.limit + 1).execute()
  const { count } = await selectTesters(db, workspaceId, groupId)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return toPage(await addGroups(db, rows), page, count)
}

export async function findTestersByKey(db: Db, workspaceId: number, keys: string[]): Promise<TesterRecord[]> {
  const rows = await selectTesters(db, workspaceId)
    .selectAll('testers')
    .where('email_key', 'in', keys)
    .orderBy('testers.id')
    .execute()
  return addGroups(db, rows)
}

function selectTesters(db: Db, workspaceId: number, groupId?: number) {
  const query = db.selectFrom('testers').where('testers.workspace_id', '=', workspaceId)
  if (groupId === undefined) return query
  return query.where((where) =>
    where.exists(
      where
        .selectFrom('group_testers')
        .select('tester_id')
        .whereRef('tester_id', '=', 'testers.id')
        .where('group_id', '=', groupId),
    ),
  )
}

async function addGroups(db: Db, testers: Row<'testers'>[]): Promise<TesterRecord[]> {
  const memberships = await selectInBatches(
    testers.map((tester) => tester.id),
    (ids) => selectMemberships(db, ids),
  )
  const groupsOf = Map.groupBy(memberships, (membership) => membership.tester_id)
  return testers.map((tester) => ({
    ...tester,
    groups: (groupsOf.get(tester.id) ?? []).map(({ id, name }) => ({ id, name })),
  }))
}

async function selectMemberships(db: Db, testerIds: number[]) {
  return db
    .selectFrom('group_testers')
    .innerJoin('distribution_groups as groups', 'groups.id', 'group_testers.group_id')
    .select(['group_testers.tester_id', 'groups.id', 'groups.name'])
    .where('group_testers.tester_id', 'in', testerIds)
    .orderBy('groups.name_key')
    .execute()
}

/** Inserts testers; e-mail addresses that are testers already are skipped. */
export async function insertTesters(trx: Db, values: Insertable<Schema['testers']>[]): Promise<void> {
  await trx
    .insertInto('testers')
    .values(values)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'email_key']).doNothing())
    .execute()
}

/** Adds the testers with these e-mail addresses to a group. */
export async function insertGroupTesters(
  trx: Db,
  workspaceId: number,
  groupId: number,
  emailKeys: string[],
): Promise<void> {
  await trx
    .insertInto('group_testers')
    .columns(['group_id', 'tester_id'])
    .expression((query) =>
      query
        .selectFrom('testers')
        .select((select) => [select.val(groupId).as('group_id'), 'testers.id as tester_id'])
        .where('workspace_id', '=', workspaceId)
        .where('email_key', 'in', emailKeys),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Returns whether the tester was in the group. */
export async function deleteGroupTester(db: Db, groupId: number, testerId: number): Promise<boolean> {
  const deleted = await db
    .deleteFrom('group_testers')
    .where('group_id', '=', groupId)
    .where('tester_id', '=', testerId)
    .returning('tester_id')
    .executeTakeFirst()
  return deleted !== undefined
}

/** Returns whether the tester existed. */
export async function deleteTester(db: Db, workspaceId: number, id: number): Promise<boolean> {
  const deleted = await db
    .deleteFrom('testers')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}
