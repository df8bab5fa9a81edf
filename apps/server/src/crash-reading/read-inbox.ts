/**
 * Reading: how deliveries in the inbox become crashes, sessions and counters. For each application in turn:
 *
 * 1. `read-batch.ts` has a worker process unpack, parse and mask the oldest deliveries, and resolves their new stacks.
 * 2. `store-batch.ts` deletes the rows of the inbox and stores what they held, in one transaction. There
 *    `list-new-crashes.ts` leaves out what is stored already and `discards.ts` what nobody wants, `store-stacks.ts`
 *    finds the group of each stack, and `count-in-stack.ts` and `store-sessions.ts` count.
 * 3. `reread.ts` reads a stack again when symbols or rules have come, and moves it to the group of its new key.
 *
 * Always true: a delivery is in the inbox, or what it held is stored and counted, once. Whatever changes the crashes of
 * an application holds its lock (`lockApplication`).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { AppContext } from '../context.ts'
import type { JobHandler } from '../jobs/job.ts'
import { findApplicationOfCrashes } from '../crash-stacks/application-store.ts'
import { listOldestDeliveries, listWaitingApplications } from './inbox-store.ts'
import { readBatch } from './read-batch.ts'
import { findFrameOwner } from '../crash-stacks/frame-owner.ts'
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
