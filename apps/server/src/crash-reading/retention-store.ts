import { sql } from 'kysely'
import { isLasting, isNotLasting } from '../crash-groups/lasting-store.ts'
import type { Db } from '../db/open.ts'

/** How many rows one statement deletes, so that it does not block other writers for long. */
const batchSize = 500

export interface OldCrash {
  id: number
  groupId: number
}

/** Lists some of the crashes that were received before a time and are not marked as lasting, the oldest first. */
export async function listCrashesBefore(db: Db, before: number): Promise<OldCrash[]> {
  return db
    .selectFrom('crashes')
    .innerJoin('crash_stacks', 'crash_stacks.id', 'crashes.stack_id')
    .select(['crashes.id', 'crash_stacks.group_id as groupId'])
    .where(isNotLasting)
    .where('crashes.received_at', '<', before)
    .orderBy('crashes.received_at')
    .limit(batchSize)
    .execute()
}

/** For each group, the crash with the newest report of its most frequent stack, of those that have reports. */
export async function listLastingCrashes(db: Db, groupIds: readonly number[]): Promise<OldCrash[]> {
  return db
    .with('ranked', (cte) =>
      cte
        .selectFrom('crash_stacks')
        .innerJoin('crash_reports', 'crash_reports.stack_id', 'crash_stacks.id')
        .select([
          'crash_reports.crash_id as id',
          'crash_stacks.group_id as groupId',
          sql<number>`row_number() over (partition by crash_stacks.group_id order by
            crash_stacks.crash_count desc, crash_stacks.id, crash_reports.crash_id desc)`.as('place'),
        ])
        .where('crash_stacks.group_id', 'in', groupIds),
    )
    .selectFrom('ranked')
    .select(['id', 'groupId'])
    .where('place', '=', 1)
    .execute()
}

/** Lists the crashes of groups that were marked as lasting before. */
export async function listMarkedCrashes(db: Db, groupIds: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('crashes')
    .innerJoin('crash_stacks', 'crash_stacks.id', 'crashes.stack_id')
    .select('crashes.id')
    .where(isLasting)
    .where('crash_stacks.group_id', 'in', groupIds)
    .execute()
  return rows.map(({ id }) => id)
}

export async function markLasting(db: Db, ids: readonly number[]): Promise<void> {
  await db.updateTable('crashes').set({ is_lasting: 1 }).where('id', 'in', ids).execute()
}

export async function deleteCrashes(db: Db, ids: readonly number[]): Promise<void> {
  await db.deleteFrom('crashes').where('id', 'in', ids).execute()
}

export async function deleteMarksBefore(db: Db, before: number): Promise<void> {
  await db.deleteFrom('session_marks').where('marked_at', '<', before).execute()
}
