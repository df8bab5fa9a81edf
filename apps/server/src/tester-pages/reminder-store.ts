import { insertInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'

/** Records that testers are told of a build, by a reminder that is their first mail about it. */
export async function insertTold(trx: Db, buildId: number, testerIds: number[]): Promise<void> {
  const created_at = Date.now()
  await insertInBatches(testerIds, (batch) =>
    trx
      .insertInto('build_notifications')
      .values(batch.map((tester_id) => ({ build_id: buildId, tester_id, created_at })))
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
}

/** Counts one more reminder for each of these testers, whose mails are due. */
export async function insertReminders(
  trx: Db,
  { workspaceId, buildId }: { workspaceId: number; buildId: number },
  testerIds: number[],
): Promise<void> {
  const reminded_at = Date.now()
  await insertInBatches(testerIds, (batch) =>
    trx
      .insertInto('build_testers')
      .values(
        batch.map((tester_id) => ({
          workspace_id: workspaceId,
          build_id: buildId,
          tester_id,
          reminded_at,
          reminder_count: 1,
          is_reminder_due: 1,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['build_id', 'tester_id']).doUpdateSet((update) => ({
          reminded_at,
          reminder_count: update('build_testers.reminder_count', '+', 1),
          is_reminder_due: 1,
        })),
      )
      .execute(),
  )
}

/** Takes testers whose reminders are due, and returns their ids. Call it in the transaction that writes their mails. */
export async function takeDueReminders(trx: Db, buildId: number, limit: number): Promise<number[]> {
  const rows = await trx
    .updateTable('build_testers')
    .set({ is_reminder_due: 0 })
    .where('build_id', '=', buildId)
    .where('tester_id', 'in', (query) =>
      query
        .selectFrom('build_testers')
        .select('tester_id')
        .where('build_id', '=', buildId)
        .where('is_reminder_due', '=', 1)
        .orderBy('tester_id')
        .limit(limit),
    )
    .where('is_reminder_due', '=', 1)
    .returning('tester_id')
    .execute()
  return rows.map(({ tester_id }) => tester_id)
}
