import type { Page } from '@fairlead/contract'
import type { ExpressionBuilder, Insertable } from 'kysely'
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
  let query = selectTesters(db, workspaceId, groupId)
    .selectAll('testers')
    .select(unsubscribedAt)
    .orderBy('testers.id', 'desc')
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
    .select(unsubscribedAt)
    .where('testers.email_key', 'in', keys)
    .orderBy('testers.id')
    .execute()
  return addGroups(db, rows)
}

export async function findTesterRecord(db: Db, workspaceId: number, id: number): Promise<TesterRecord | undefined> {
  const rows = await selectTesters(db, workspaceId)
    .selectAll('testers')
    .select(unsubscribedAt)
    .where('testers.id', '=', id)
    .execute()
  const [tester] = await addGroups(db, rows)
  return tester
}

/** The tester of a link, with the name of the workspace. */
export interface LinkedTesterRecord extends Row<'testers'> {
  workspace_name: string
  unsubscribed_at: number | null
}

/** Finds a tester in any workspace. The caller has to check the signature of the link that names the tester. */
export async function findLinkedTester(db: Db, id: number): Promise<LinkedTesterRecord | undefined> {
  return db
    .selectFrom('testers')
    .innerJoin('workspaces', 'workspaces.id', 'testers.workspace_id')
    .selectAll('testers')
    .select('workspaces.name as workspace_name')
    .select(unsubscribedAt)
    .where('testers.id', '=', id)
    .executeTakeFirst()
}

/** Returns whether the tester exists. */
export async function updateLinkSalt(db: Db, workspaceId: number, id: number, salt: string): Promise<boolean> {
  const updated = await db
    .updateTable('testers')
    .set({ link_salt: salt })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}

/** Selects when the tester unsubscribed; null for one who takes mails. */
function unsubscribedAt(select: ExpressionBuilder<Schema, 'testers'>) {
  return select
    .selectFrom('unsubscribes')
    .select('unsubscribes.created_at')
    .whereRef('unsubscribes.workspace_id', '=', 'testers.workspace_id')
    .whereRef('unsubscribes.email_key', '=', 'testers.email_key')
    .as('unsubscribed_at')
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

async function addGroups(db: Db, testers: Omit<TesterRecord, 'groups'>[]): Promise<TesterRecord[]> {
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
