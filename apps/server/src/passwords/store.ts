import type { Db } from '../db/open.ts'
import type { Attempts } from './attempt-store.ts'

/** Counts one attempt, in a new window if the last one has ended. All replicas may run this statement at once. */
export async function addAttempt(db: Db, digest: string, windowMs: number, now: number): Promise<Attempts> {
  const { attempts, ends_at } = await db
    .insertInto('attempts')
    .values({ key_hash: digest, attempts: 1, ends_at: now + windowMs })
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
}

export async function takeBackAttempt(db: Db, digest: string): Promise<void> {
  await db
    .updateTable('attempts')
    .set((update) => ({ attempts: update('attempts', '-', 1) }))
    .where('key_hash', '=', digest)
    .where('attempts', '>', 0)
    .execute()
}

export async function deleteAttempts(db: Db, digest: string): Promise<void> {
  await db.deleteFrom('attempts').where('key_hash', '=', digest).execute()
}
