import type { Db } from '../db/open.ts'
import { toJsonText } from '../db/json-text.ts'
import type { JobKind, JobPayloads } from '../db/schema/job-payloads.ts'
import { insertJobs } from './store.ts'

export interface NewJob<Kind extends JobKind> {
  kind: Kind
  payload: JobPayloads[Kind]
  /** At most one job exists per key. Enqueueing again moves the existing job to `runAt`. */
  key?: string
  /** Epoch milliseconds; now by default. */
  runAt?: number
}

/**
 * Inserts jobs in the caller's transaction, so that the job exists exactly if the change that needs it is committed.
 * Call `context.jobs.wake()` after the commit; otherwise the worker finds the job at its next poll.
 */
export async function enqueueJobs<Kind extends JobKind>(trx: Db, jobs: NewJob<Kind>[]): Promise<void> {
  const now = Date.now()
  const rows = jobs.map(({ kind, payload, key = null, runAt = now }) => ({
    kind,
    key,
    payload: toJsonText(payload),
    run_at: runAt,
    created_at: now,
  }))
  await insertJobs(trx, rows)
}
