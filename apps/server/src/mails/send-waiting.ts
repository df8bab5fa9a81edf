import type { AppContext } from '../context.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import { toSendJob } from './enqueue.ts'
import { listWaitingMails } from './store.ts'
import { transact } from '../db/transact.ts'

/** Older mails are not sent unless somebody asks for it, because hundreds may have collected without a mail server. */
const freshness = 60 * 60 * 1000

/**
 * Enqueues the mails that waited for a mail server, once one is configured. Mails that already have a job run it at
 * once.
 */
export async function sendWaitingMails({ db, config }: Pick<AppContext, 'db' | 'config'>): Promise<void> {
  if (config.smtpUrl === null) return
  await transact(db, async (trx) => {
    const waiting = await listWaitingMails(trx, Date.now() - freshness)
    await enqueueJobs(trx, waiting.map(toSendJob))
  })
}
