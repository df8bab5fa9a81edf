import { createHash } from 'node:crypto'
import type { Db } from '../db/open.ts'
import type { AttemptStore } from './attempt-store.ts'
import { addAttempt, deleteAttempts, takeBackAttempt } from './store.ts'

/** Counts in the database, so that all replicas count together. Keys hold addresses, so only their digests are kept. */
export function createDatabaseAttempts(db: Db): AttemptStore {
  return {
    add: (key, windowMs, now) => addAttempt(db, toDigest(key), windowMs, now),
    takeBack: (key) => takeBackAttempt(db, toDigest(key)),
    forget: (key) => deleteAttempts(db, toDigest(key)),
  }
}

function toDigest(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
