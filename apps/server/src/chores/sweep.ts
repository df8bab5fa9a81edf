import type { Db } from '../db/open.ts'
import { deleteExpired, deleteOldIdempotencyKeys, deleteOldMails, deleteOldServerMails } from './store.ts'

const day = 24 * 60 * 60 * 1000
/** How long a retry of an upload finds the first attempt. */
const idempotencyLifetime = 7 * day
const mailLifetime = 90 * day
/** Mails of the server itself hold links to new passwords, which are good for an hour. */
const ownMailLifetime = day

/** Deletes what has expired. */
export async function sweepExpired(db: Db, now: number): Promise<void> {
  await deleteExpired(db, 'sessions', now)
  await deleteExpired(db, 'password_resets', now)
  await deleteExpired(db, 'invitations', now)
  await deleteOldIdempotencyKeys(db, now - idempotencyLifetime)
  await deleteOldMails(db, now - mailLifetime)
  await deleteOldServerMails(db, now - ownMailLifetime)
}
