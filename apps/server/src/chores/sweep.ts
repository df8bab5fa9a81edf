import type { Db } from '../db/open.ts'
import { sweepDeliveries } from '../hooks/sweep.ts'
import {
  deleteExpired,
  deleteOldAttempts,
  deleteOldAuditEvents,
  deleteOldIdempotencyKeys,
  deleteOldMails,
  deleteOldServerMails,
  deleteOldTestSplits,
  deleteUnusedMailNotes,
} from './store.ts'

const day = 24 * 60 * 60 * 1000
/** How long a retried upload with the same idempotency key gets the answer of the first attempt. */
const idempotencyLifetime = 7 * day
/** How long the shards of a pipeline, and its repeated jobs, get the durations of its first shard. */
const testSplitLifetime = 7 * day
const auditLifetime = 365 * day
const mailLifetime = 90 * day
const deliveryLifetime = 30 * day
/** Mails without a workspace hold password-reset links, which expire after an hour. */
const ownMailLifetime = day

/**
 * Deletes expired sessions, reset links, invitations and tokens, and old idempotency keys, mails, deliveries and audit
 * events.
 */
export async function sweepExpired(db: Db, now: number): Promise<void> {
  await deleteExpired(db, 'sessions', now)
  await deleteExpired(db, 'password_resets', now)
  await deleteExpired(db, 'invitations', now)
  await deleteExpired(db, 'device_answers', now)
  await deleteExpired(db, 'pending_links', now)
  await deleteExpired(db, 'used_tokens', now)
  await deleteExpired(db, 'login_requests', now)
  await deleteOldAttempts(db, now)
  await deleteOldIdempotencyKeys(db, now - idempotencyLifetime)
  await deleteOldTestSplits(db, now - testSplitLifetime)
  await deleteOldAuditEvents(db, now - auditLifetime)
  await deleteOldMails(db, now - mailLifetime)
  await deleteOldServerMails(db, now - ownMailLifetime)
  await deleteUnusedMailNotes(db)
  await sweepDeliveries(db, now - deliveryLifetime)
}
