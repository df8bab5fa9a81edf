import type { Db } from '../db/open.ts'

/** How many rows one statement deletes, so that it does not block other writers for long. */
const batchSize = 500

/** Deletes some of the crashes that were received before a time. Ids grow with that time, so the lowest are oldest. */
export async function deleteCrashesBefore(db: Db, before: number): Promise<number> {
  const oldest = await db.selectFrom('crashes').select(['id', 'received_at']).orderBy('id').limit(batchSize).execute()
  const ids = oldest.filter((crash) => crash.received_at < before).map(({ id }) => id)
  if (ids.length > 0) await db.deleteFrom('crashes').where('id', 'in', ids).execute()
  return ids.length
}

export async function deleteMarksBefore(db: Db, before: number): Promise<void> {
  await db.deleteFrom('session_marks').where('marked_at', '<', before).execute()
}
