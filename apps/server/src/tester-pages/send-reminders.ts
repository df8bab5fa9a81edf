import { setTimeout } from 'node:timers/promises'
import { findGrantedBuild } from '../builds/find.ts'
import { mailTesters } from '../builds/notify-testers.ts'
import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { JobHandler } from '../jobs/job.ts'
import { takeDueReminders } from './reminder-store.ts'

/** How many mails one transaction writes; larger ones would block other users of the embedded database. */
const batchSize = 100
/** The pause between two batches, in milliseconds, in which requests get their turn. */
const pauseMs = 10

/** Creates the handler that writes the mails of reminders. A mail is written in the transaction that takes it. */
export function createReminderSender(
  context: Pick<AppContext, 'db' | 'config' | 'signingKey' | 'jobs'>,
): JobHandler<'remind-testers'> {
  return {
    async run({ buildId }, stopping) {
      for (let isMore = true; isMore;) {
        await setTimeout(pauseMs)
        isMore = await transact(context.db, async (trx) => {
          const build = await findGrantedBuild({ db: trx }, buildId)
          if (!build) return false
          const testerIds = await takeDueReminders(trx, buildId, batchSize)
          if (testerIds.length > 0) await mailTesters({ ...context, db: trx }, build, { testerIds, kind: 'reminder' })
          return testerIds.length === batchSize
        })
        context.jobs.wake()
        // After a shutdown, another process or the next start continues the job.
        if (isMore && stopping.aborted) return Date.now()
      }
      return undefined
    },
  }
}
