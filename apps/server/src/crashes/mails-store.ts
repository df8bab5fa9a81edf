import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'

/** The most groups in one digest. */
const maxGroups = 100

export async function listGroupsToMail(db: Db, applicationId: number, now: number): Promise<Row<'crash_groups'>[]> {
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

export async function markMailed(trx: Db, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await trx.updateTable('crash_groups').set({ mail_reason: null, mail_due_at: null }).where('id', 'in', ids).execute()
}

export async function updateMailedAt(trx: Db, ids: number[], now: number): Promise<void> {
  if (ids.length === 0) return
  await trx.updateTable('crash_groups').set({ mailed_at: now }).where('id', 'in', ids).execute()
}

/** The members who work on crashes: developers and administrators. */
export async function listRecipients(db: Db, workspaceId: number): Promise<{ id: number; email: string }[]> {
  return db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .select(['accounts.id', 'accounts.email'])
    .where('members.workspace_id', '=', workspaceId)
    .where('members.role', 'in', ['developer', 'admin'])
    .orderBy('accounts.id')
    .execute()
}
