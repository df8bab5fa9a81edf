import type { Db } from '../db/open.ts'
import type { JobKind, JobPayloads } from './job.ts'

export interface NewJob<Kind extends JobKind> {
  kind: Kind
  payload: JobPayloads[Kind]
  /** While a job with this key waits, no second one is made: that one's turn is moved to `runAt`. */
  key?: string
  /** Epoch milliseconds; at once by default. */
  runAt?: number
}

/** A statement with more values than this comes near the limits of SQLite. */
const batchSize = 500

/**
 * Writes jobs down in the transaction of the business that wants them: both happen or neither.
 * Wake the worker (`context.jobs.wake()`) after the commit; without that it finds them a little later.
 */
export async function enqueueJobs<Kind extends JobKind>(trx: Db, jobs: NewJob<Kind>[]): Promise<void> {
  const now = Date.now()
  for (let start = 0; start < jobs.length; start += batchSize) {
    await trx
      .insertInto('jobs')
      .values(
        jobs.slice(start, start + batchSize).map(({ kind, payload, key = null, runAt = now }) => ({
          kind,
          key,
          payload: JSON.stringify(payload),
          run_at: runAt,
          created_at: now,
        })),
      )
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({ run_at: (update) => update.ref('excluded.run_at') }),
      )
      .execute()
  }
}
