import { ApiError, type Mail } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import { toSendJob } from './enqueue.ts'
import { toMail } from './mail.ts'
import { requireMail, updateMail } from './store.ts'
import { transact } from '../db/transact.ts'

/**
 * Retries a waiting or failed mail immediately.
 *
 * @throws {ApiError} mailNotFound, mailSent, noMailServer
 */
export async function retryMail(
  { db, config, jobs }: Pick<AppContext, 'db' | 'config' | 'jobs'>,
  workspaceId: number,
  id: number,
): Promise<Mail> {
  const mail = await transact(db, async (trx) => {
    const { status } = await requireMail(trx, workspaceId, id)
    if (status === 'sent') throw new ApiError('mailSent')
    if (config.smtpUrl === null) throw new ApiError('noMailServer')
    await updateMail(trx, id, { status: 'waiting', error: null })
    await enqueueJobs(trx, [toSendJob(id)])
    return requireMail(trx, workspaceId, id)
  })
  jobs.wake()
  return toMail(mail)
}
