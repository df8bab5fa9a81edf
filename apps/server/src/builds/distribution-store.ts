import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import { countAll } from '../db/paging.ts'
import type { Row } from '../db/schema.ts'

/** Gives a build to groups. Groups that already have it keep their date of distribution. */
export async function insertBuildGroups(trx: Db, buildId: number, groupIds: number[]): Promise<void> {
  const distributed_at = Date.now()
  await trx
    .insertInto('build_groups')
    .values(groupIds.map((group_id) => ({ build_id: buildId, group_id, distributed_at })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteBuildGroup(trx: Db, buildId: number, groupId: number): Promise<void> {
  await trx.deleteFrom('build_groups').where('build_id', '=', buildId).where('group_id', '=', groupId).execute()
}

/**
 * Records that testers of the groups are notified of a build, at most `limit` of those who were not before.
 *
 * @returns the ids of the testers, and whether more may be left
 */
export async function insertNotifications(
  trx: Db,
  build: { id: number; workspace_id: number },
  groupIds: number[],
  limit: number,
): Promise<{ told: number[]; isMore: boolean }> {
  const untold = await selectUntold(trx, build, groupIds).limit(limit).execute()
  if (untold.length === 0) return { told: [], isMore: false }
  const created_at = Date.now()
  const told = await trx
    .insertInto('build_notifications')
    .values(untold.map(({ id }) => ({ build_id: build.id, tester_id: id, created_at })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('tester_id')
    .execute()
  return { told: told.map(({ tester_id }) => tester_id), isMore: untold.length === limit }
}

/** Counts the testers of the groups who have not been told of a build and take mails. */
export async function countUntold(
  trx: Db,
  build: { id: number; workspace_id: number },
  groupIds: number[],
): Promise<number> {
  const { count } = await selectUntold(trx, build, groupIds)
    .clearSelect()
    .clearOrderBy()
    .select(countAll)
    .executeTakeFirstOrThrow()
  return count
}

function selectUntold(trx: Db, build: { id: number; workspace_id: number }, groupIds: number[]) {
  return trx
    .selectFrom('testers')
    .select('testers.id')
    .where('testers.workspace_id', '=', build.workspace_id)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('unsubscribes')
            .select('unsubscribes.email_key')
            .whereRef('unsubscribes.workspace_id', '=', 'testers.workspace_id')
            .whereRef('unsubscribes.email_key', '=', 'testers.email_key'),
        ),
      ),
    )
    .where((where) =>
      where.exists(
        where
          .selectFrom('group_testers')
          .select('group_testers.tester_id')
          .whereRef('group_testers.tester_id', '=', 'testers.id')
          .where('group_testers.group_id', 'in', groupIds),
      ),
    )
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('build_notifications')
            .select('build_notifications.tester_id')
            .whereRef('build_notifications.tester_id', '=', 'testers.id')
            .where('build_notifications.build_id', '=', build.id),
        ),
      ),
    )
    .orderBy('testers.id')
}

/** The columns of a tester that a mail needs. */
export type MailedTester = Pick<Row<'testers'>, 'id' | 'workspace_id' | 'email' | 'email_key' | 'link_salt'>

/** Reads testers by their ids; those that were deleted meanwhile are left out. */
export async function findMailedTesters(db: Db, testerIds: number[]): Promise<MailedTester[]> {
  return selectInBatches(testerIds, (ids) =>
    db
      .selectFrom('testers')
      .select(['id', 'workspace_id', 'email', 'email_key', 'link_salt'])
      .where('id', 'in', ids)
      .execute(),
  )
}
