import { createHash } from 'node:crypto'
import type { Db } from '../db/open.ts'
import type { AttemptStore } from './attempt-store.ts'

/** Counts in the database, so that all replicas count together. Keys hold addresses, so only their digests are kept. */
export function createDatabaseAttempts(db: Db): AttemptStore {
  return {
    async add(key, windowMs, now) {
      const { attempts, ends_at } = await db
        .insertInto('attempts')
        .values({ key_hash: toDigest(key), attempts: 1, ends_at: now + windowMs })
        .onConflict((conflict) =>
          conflict.column('key_hash').doUpdateSet((update) => ({
            attempts: update
              .case()
              .when('attempts.ends_at', '>', now)
              .then(update('attempts.attempts', '+', 1))
              .else(1)
              .end(),
            ends_at: update
              .case()
              .when('attempts.ends_at', '>', now)
              .then(update.ref('attempts.ends_at'))
              .else(update.ref('excluded.ends_at'))
              .end(),
          })),
        )
        .returning(['attempts', 'ends_at'])
        .executeTakeFirstOrThrow()
      return { attempts, endsAt: ends_at }
    },
    async takeBack(key) {
      await db
        .updateTable('attempts')
        .set((update) => ({ attempts: update('attempts', '-', 1) }))
        .where('key_hash', '=', toDigest(key))
        .where('attempts', '>', 0)
        .execute()
    },
    async forget(key) {
      await db.deleteFrom('attempts').where('key_hash', '=', toDigest(key)).execute()
    },
  }
}

function toDigest(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
