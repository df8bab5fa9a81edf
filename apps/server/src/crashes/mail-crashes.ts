import type { AppContext } from '../context.ts'
import type { JobHandler } from '../jobs/job.ts'
import { enqueueMails } from '../mails/enqueue.ts'
import { findApplicationOfCrashes } from './application-store.ts'
import { createCrashMail } from './crash-mail.ts'
import { listGroupsToMail, listRecipients, markMailed, updateMailedAt } from './mails-store.ts'

/** A group is mailed about at most once in this many milliseconds. */
const intervalMs = 24 * 60 * 60 * 1000

/**
 * Mails a digest of new, regressed and spiking groups. A group with an assignee is mailed to that member only, any
 * other to all members who may change it.
 */
export function createCrashMailer(context: Pick<AppContext, 'db' | 'config' | 'jobs'>): JobHandler<'mail-crashes'> {
  const { db, config, jobs } = context
  return {
    async run({ applicationId }) {
      const application = await findApplicationOfCrashes(db, applicationId)
      if (!application) return undefined
      const now = Date.now()
      await db.transaction().execute(async (trx) => {
        const due = await listGroupsToMail(trx, applicationId, now)
        await markMailed(
          trx,
          due.map(({ id }) => id),
        )
        const told = due.filter(({ mailed_at: mailedAt }) => mailedAt === null || mailedAt <= now - intervalMs)
        await updateMailedAt(
          trx,
          told.map(({ id }) => id),
          now,
        )
        const recipients = await listRecipients(trx, application.workspaceId)
        const mails = recipients.flatMap(({ id, email }) => {
          const groups = told.filter(({ assignee_id: assigneeId }) => assigneeId === null || assigneeId === id)
          if (groups.length === 0) return []
          return [createCrashMail(application, groups, { recipient: email, baseUrl: config.baseUrl })]
        })
        await enqueueMails({ db: trx, config }, application.workspaceId, mails)
      })
      jobs.wake()
      return undefined
    },
  }
}
