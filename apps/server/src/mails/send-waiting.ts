import type { AppContext } from '../context.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import { toSendJob } from './enqueue.ts'
import { listWaitingMails } from './store.ts'

/** What is older is no news any more, and its links are mostly void: it stays until an administrator sends it. */
const freshness = 7 * 24 * 60 * 60 * 1000

/** Sends what waited for a mail server, now that there is one. Mails that have their turn already get it at once. */
export async function sendWaitingMails({ db, config }: Pick<AppContext, 'db' | 'config'>): Promise<void> {
  if (config.smtpUrl === null) return
  await db.transaction().execute(async (trx) => {
    const waiting = await listWaitingMails(trx, Date.now() - freshness)
    await enqueueJobs(trx, waiting.map(toSendJob))
  })
}
