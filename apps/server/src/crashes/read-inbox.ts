import type { AppContext } from '../context.ts'
import type { JobHandler } from '../jobs/job.ts'
import { findApplicationOfCrashes } from './application-store.ts'
import { listOldestDeliveries, listWaitingApplications } from './inbox-store.ts'
import { readBatch } from './read-batch.ts'
import { findRules } from './rules-store.ts'
import { storeBatch } from './store-batch.ts'

type Context = Pick<AppContext, 'db' | 'blobs' | 'readers' | 'signingKey' | 'log' | 'config' | 'jobs'>

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
          await readOldest(context, applicationId)
        }
      }
    },
  }
}

async function readOldest(context: Context, applicationId: number): Promise<void> {
  const { db, config, jobs } = context
  const application = await findApplicationOfCrashes(db, applicationId)
  if (!application) return
  const rows = await listOldestDeliveries(db, applicationId)
  if (rows.length === 0) return
  const batch = await readBatch(context, application, await findRules(db, applicationId), rows)
  const engine = config.databaseUrl === null ? 'sqlite' : 'postgres'
  await db.transaction().execute((trx) => storeBatch(trx, engine, application, batch))
  jobs.wake()
}
