import type { Db } from '../db/open.ts'

export async function findOpened(
  db: Db,
  buildId: number,
  testerId: number,
): Promise<{ opened_at: number | null } | undefined> {
  return db
    .selectFrom('build_testers')
    .select('opened_at')
    .where('build_id', '=', buildId)
    .where('tester_id', '=', testerId)
    .executeTakeFirst()
}

/** Records that a tester opened builds; the first time counts. */
export async function insertOpened(
  db: Db,
  tester: { id: number; workspace_id: number },
  buildIds: number[],
): Promise<void> {
  const opened_at = Date.now()
  await db
    .insertInto('build_testers')
    .values(
      buildIds.map((build_id) => ({
        workspace_id: tester.workspace_id,
        build_id,
        tester_id: tester.id,
        opened_at,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['build_id', 'tester_id']).doUpdateSet((update) => ({
        opened_at: update.fn.coalesce('build_testers.opened_at', 'excluded.opened_at'),
      })),
    )
    .execute()
}
