import type { Db } from '../db/open.ts'

export async function deleteExpired(
  db: Db,
  table:
    | 'sessions'
    | 'password_resets'
    | 'invitations'
    | 'device_answers'
    | 'pending_links'
    | 'used_tokens'
    | 'login_requests',
  now: number,
): Promise<void> {
  await db.deleteFrom(table).where('expires_at', '<=', now).execute()
}

/** Deletes counts of rate limiters whose window has ended. */
export async function deleteOldAttempts(db: Db, now: number): Promise<void> {
  await db.deleteFrom('attempts').where('ends_at', '<=', now).execute()
}

export async function deleteOldIdempotencyKeys(db: Db, before: number): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<', before).execute()
}

export async function deleteOldTestSplits(db: Db, before: number): Promise<void> {
  await db.deleteFrom('test_splits').where('created_at', '<', before).execute()
}

export async function deleteOldAuditEvents(db: Db, before: number): Promise<void> {
  await db.deleteFrom('audit_events').where('created_at', '<', before).execute()
}

export async function deleteOldMails(db: Db, before: number): Promise<void> {
  await db.deleteFrom('mails').where('created_at', '<', before).execute()
}

/** Deletes release notes that no mail refers to any more. */
export async function deleteUnusedMailNotes(db: Db): Promise<void> {
  await db
    .deleteFrom('mail_notes')
    .where((where) =>
      where.not(
        where.exists(where.selectFrom('mails').select('mails.id').whereRef('mails.notes_id', '=', 'mail_notes.id')),
      ),
    )
    .execute()
}

/** Deletes old mails that belong to no workspace, such as password resets. */
export async function deleteOldServerMails(db: Db, before: number): Promise<void> {
  await db.deleteFrom('mails').where('workspace_id', 'is', null).where('created_at', '<', before).execute()
}
