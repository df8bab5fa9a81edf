import type { Db } from '../db/open.ts'

/** How many rows one statement deletes, so that it does not block other writers for long. */
const batchSize = 500

export interface OldCrash {
  id: number
  groupId: number
}

/** Lists some of the crashes that were received before a time. Ids grow with that time, so the lowest are oldest. */
export async function listCrashesBefore(db: Db, before: number, afterId: number): Promise<OldCrash[]> {
  const oldest = await db
    .selectFrom('crashes')
    .innerJoin('crash_stacks', 'crash_stacks.id', 'crashes.stack_id')
    .select(['crashes.id', 'crashes.received_at', 'crash_stacks.group_id as groupId'])
    .where('crashes.id', '>', afterId)
    .orderBy('crashes.id')
    .limit(batchSize)
    .execute()
  return oldest.filter((crash) => crash.received_at < before)
}

/** The crash with the newest report of the most frequent stack of a group, of those that have reports. */
export async function findLastingCrash(db: Db, groupId: number): Promise<number | undefined> {
  const report = await db
    .selectFrom('crash_stacks')
    .innerJoin('crash_reports', 'crash_reports.stack_id', 'crash_stacks.id')
    .select('crash_reports.crash_id')
    .where('crash_stacks.group_id', '=', groupId)
    .orderBy('crash_stacks.crash_count', 'desc')
    .orderBy('crash_stacks.id')
    .orderBy('crash_reports.crash_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return report?.crash_id
}

export async function deleteCrashes(db: Db, ids: readonly number[]): Promise<void> {
  await db.deleteFrom('crashes').where('id', 'in', ids).execute()
}

export async function deleteMarksBefore(db: Db, before: number): Promise<void> {
  await db.deleteFrom('session_marks').where('marked_at', '<', before).execute()
}
