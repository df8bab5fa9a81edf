import { setTimeout } from 'node:timers/promises'
import { isForeignKeyViolation } from './foreign-key.ts'
import type { Db } from './open.ts'

const attemptLimit = 5
/**
 * The pause before the second attempt, in milliseconds; it doubles, and a random part keeps two transactions from
 * colliding again.
 */
const firstPauseMs = 10

/** PostgreSQL's error codes for a deadlock and for a serialization failure. */
const conflicts = new Set(['40P01', '40001'])

/**
 * Runs a transaction, and repeats it when the database ended it because of a conflict with another one, or when a row
 * that it refers to was deleted meanwhile. The callback must therefore do all its reads inside the transaction and
 * change nothing but the database.
 */
export async function transact<Result>(db: Db, run: (trx: Db) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(run)
    } catch (error) {
      if (attempt === attemptLimit || !isWorthRepeating(error)) throw error
      await setTimeout(firstPauseMs * 2 ** (attempt - 1) * (1 + Math.random()))
    }
  }
}

function isWorthRepeating(error: unknown): boolean {
  if (isForeignKeyViolation(error)) return true
  return error instanceof Error && 'code' in error && conflicts.has(String(error.code))
}
