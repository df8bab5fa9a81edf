import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'

/** Gives a build to groups. Groups that already have it keep their date of distribution. */
export async function insertBuildGroups(trx: Db, buildId: number, groupIds: number[]): Promise<void> {
  const distributed_at = Date.now()
  await trx
    .insertInto('build_groups')
    .values(groupIds.map((group_id) => ({ build_id: buildId, group_id, distributed_at })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Records that the testers of the groups are notified of a build. Returns the ids of those who were not before. */
export async function insertNotifications(
  trx: Db,
  build: { id: number; workspace_id: number },
  groupIds: number[],
): Promise<number[]> {
  const told = await trx
    .insertInto('build_notifications')
    .columns(['build_id', 'tester_id', 'created_at'])
    .expression((query) =>
      query
        .selectFrom('testers')
        .select((select) => [
          select.val(build.id).as('build_id'),
          'testers.id as tester_id',
          select.val(Date.now()).as('created_at'),
        ])
        .where('testers.workspace_id', '=', build.workspace_id)
        .where((where) =>
          where.exists(
            where
              .selectFrom('group_testers')
              .select('group_testers.tester_id')
              .whereRef('group_testers.tester_id', '=', 'testers.id')
              .where('group_testers.group_id', 'in', groupIds),
          ),
        ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('tester_id')
    .execute()
  return told.map(({ tester_id }) => tester_id)
}

export async function findTesterEmails(db: Db, testerIds: number[]): Promise<Map<number, string>> {
  const testers = await selectInBatches(testerIds, (ids) =>
    db.selectFrom('testers').select(['id', 'email']).where('id', 'in', ids).execute(),
  )
  return new Map(testers.map(({ id, email }) => [id, email]))
}
