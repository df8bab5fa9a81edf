import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import type { JobHandler } from '../jobs/job.ts'
import { enqueueMails } from '../mails/enqueue.ts'
import { createAlertMail } from './alert-mail.ts'
import { findApplicationOfAlerts, findNextNotice, takeNotices } from './alerts-store.ts'
import { toMailJob } from './fire.ts'

/** Mails each member what waits of an application, as one mail. */
export function createAlertMailer(context: Pick<AppContext, 'db' | 'config' | 'jobs'>): JobHandler<'mail-alerts'> {
  const { db, config, jobs } = context
  return {
    async run({ applicationId }) {
      const application = await findApplicationOfAlerts(db, applicationId)
      if (!application) return undefined
      const now = Date.now()
      await transact(db, async (trx) => {
        const notices = await takeNotices(trx, applicationId, now)
        const mails = [...Map.groupBy(notices, ({ email }) => email)].map(([recipient, own]) =>
          createAlertMail(application, own, { recipient, baseUrl: config.baseUrl }),
        )
        await enqueueMails({ db: trx, config }, application.workspace_id, mails)
        // There may be more than one turn takes.
        const next = await findNextNotice(trx, applicationId)
        if (next !== undefined && next <= now) await enqueueJobs(trx, [toMailJob(applicationId, now + 1000)])
      })
      jobs.wake()
      return undefined
    },
  }
}
