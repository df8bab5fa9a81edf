import { setTimeout as sleep } from 'node:timers/promises'
import type { AppContext } from '../context.ts'
import type { JobHandler } from '../jobs/job.ts'
import { findApplicationOfCrashes } from './application-store.ts'
import { listOldestDeliveries, listWaitingApplications } from './inbox-store.ts'
import { readBatch } from './read-batch.ts'
import { findFrameOwner } from './frame-owner.ts'
import { storeBatch } from './store-batch.ts'

type Context = Pick<AppContext, 'db' | 'blobs' | 'readers' | 'signingKey' | 'log' | 'config' | 'jobs'>

/** The share of time that the event loop works, from which reading makes way for requests. */
const busy = 0.4
/** Senders wait for an answer and nobody waits for a batch, so a pause is this many times as long as a batch. */
const pauseFactor = 3
const longestPauseMs = 1000

/**
 * Reads what apps have sent. Applications take turns, so that an application that floods the server delays another by
 * one batch only. A batch is read first and then stored in one transaction that deletes its rows, so a process that
 * dies loses or doubles nothing.
 */
export function createInboxReader(context: Context): JobHandler<'read-crashes'> {
  return {
    isRecurring: true,
    async run(_payload, signal) {
      for (;;) {
        const waiting = await listWaitingApplications(context.db)
        if (waiting.length === 0) return undefined
        for (const applicationId of waiting) {
          if (signal.aborted) return Date.now()
          await sleep(await readOldest(context, applicationId), undefined, { signal }).catch(() => {})
        }
      }
    },
  }
}

/** Reads and stores one batch. Returns how many milliseconds to pause. */
async function readOldest(context: Context, applicationId: number): Promise<number> {
  const { db, config, jobs } = context
  const application = await findApplicationOfCrashes(db, applicationId)
  if (!application) return 0
  const rows = await listOldestDeliveries(db, applicationId)
  if (rows.length === 0) return 0
  const started = performance.now()
  const before = performance.eventLoopUtilization()
  const batch = await readBatch(context, application, await findFrameOwner(db, application), rows)
  const { utilization } = performance.eventLoopUtilization(before)
  const engine = config.databaseUrl === null ? 'sqlite' : 'postgres'
  await db.transaction().execute((trx) => storeBatch(trx, engine, application, batch))
  jobs.wake()
  // A reader process did most of this, so a busy event loop was busy with requests.
  return utilization > busy ? Math.min(pauseFactor * (performance.now() - started), longestPauseMs) : 0
}
