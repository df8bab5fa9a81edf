import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'

/** The most groups that rules are told of at once. */
const maxGroups = 100

/** Lists groups that alert rules are to be told of by now, those with the most crashes first. */
export async function listDueGroups(db: Db, applicationId: number, now: number): Promise<Row<'crash_groups'>[]> {
  return db
    .selectFrom('crash_groups')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('mail_reason', 'is not', null)
    .where('mail_due_at', '<=', now)
    .where('crash_count', '>', 0)
    .orderBy('crash_count', 'desc')
    .limit(maxGroups)
    .execute()
}

export async function markTold(trx: Db, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await trx.updateTable('crash_groups').set({ mail_reason: null, mail_due_at: null }).where('id', 'in', ids).execute()
}
