import type { Db } from '../db/open.ts'
import type { JobKind, JobPayloads } from './job.ts'

export interface NewJob<Kind extends JobKind> {
  kind: Kind
  payload: JobPayloads[Kind]
  /** At most one job exists per key. Enqueueing again moves the existing job to `runAt`. */
  key?: string
  /** Epoch milliseconds; now by default. */
  runAt?: number
}

/** How many rows one statement inserts, safely below SQLite's parameter limit. */
const batchSize = 500

/**
 * Inserts jobs in the caller's transaction, so that the job exists exactly if the change that needs it is committed.
 * Call `context.jobs.wake()` after the commit; otherwise the worker finds the job at its next poll.
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
