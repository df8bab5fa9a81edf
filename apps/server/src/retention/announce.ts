import type { AppContext } from '../context.ts'
import type { JobHandler } from '../jobs/job.ts'
import { transact } from '../db/transact.ts'
import { enqueueMails } from '../mails/enqueue.ts'
import { createAnnouncement, type RetentionFigures } from './mails.ts'
import { previewRetention } from './preview.ts'
import { noticeMs, readRetention } from './settings.ts'
import { findApplicationOfRun, listAdministrators, listFollowers } from './store.ts'

/** Creates the handler that mails the figures of new rules to the administrators, a day before they are run. */
export function createRetentionAnnouncer(
  context: Pick<AppContext, 'db' | 'config' | 'jobs'>,
): JobHandler<'announce-retention'> {
  const { db, config, jobs } = context
  return {
    async run({ workspaceId, applicationId }) {
      const ids = applicationId === null ? (await listFollowers(db, workspaceId)).map(({ id }) => id) : [applicationId]
      const figures: RetentionFigures[] = []
      let earliest = Date.now() + noticeMs
      for (const id of ids) {
        const application = await findApplicationOfRun(db, id)
        if (!application) continue
        const retention = await readRetention(db, application)
        if (!retention.isEnabled) continue
        const { candidateCount, candidateBytes, freedBytes } = await previewRetention({ db }, application, undefined)
        earliest = retention.nextRunAt ?? earliest
        const { name } = application
        figures.push({ applicationId: id, name, count: candidateCount, bytes: candidateBytes, freedBytes })
      }
      if (figures.length === 0) return undefined
      const recipients = await listAdministrators(db, workspaceId)
      if (recipients.length === 0) return undefined
      await transact(db, async (trx) => {
        const { baseUrl } = config
        const mails = recipients.map((recipient) => createAnnouncement({ recipient, baseUrl, figures, earliest }))
        await enqueueMails({ db: trx, config }, workspaceId, mails)
      })
      jobs.wake()
      return undefined
    },
  }
}
