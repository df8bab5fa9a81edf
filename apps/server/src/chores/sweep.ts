import type { Db } from '../db/open.ts'

const day = 24 * 60 * 60 * 1000
/** How long a retried upload with the same idempotency key gets the answer of the first attempt. */
const idempotencyLifetime = 7 * day
const mailLifetime = 90 * day
/** Mails without a workspace hold password-reset links, which expire after an hour. */
const ownMailLifetime = day

/** Deletes expired sessions, reset links and invitations, old idempotency keys and old mails. */
export async function sweepExpired(db: Db, now: number): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  await db.deleteFrom('password_resets').where('expires_at', '<=', now).execute()
  await db.deleteFrom('invitations').where('expires_at', '<=', now).execute()
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', now - idempotencyLifetime)
    .execute()
  await db
    .deleteFrom('mails')
    .where('created_at', '<', now - mailLifetime)
    .execute()
  await db
    .deleteFrom('mails')
    .where('workspace_id', 'is', null)
    .where('created_at', '<', now - ownMailLifetime)
    .execute()
}
