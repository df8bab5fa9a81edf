import { ApiError, type MailDelivery } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import { toSendJob } from './enqueue.ts'
import { deleteHeldMails, listHeldMails } from './waiting-store.ts'

/** Tells whether mails are sent, and how many nobody will send unless somebody asks for it. */
export async function readDelivery(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  workspaceId: number,
): Promise<MailDelivery> {
  const held = await listHeldMails(db, workspaceId)
  return { isConfigured: config.smtpUrl !== null, heldCount: held.length }
}

/**
 * Sends the held mails of a workspace.
 *
 * @throws {ApiError} noMailServer
 */
export async function sendHeldMails(
  context: Pick<AppContext, 'db' | 'config' | 'jobs'>,
  workspaceId: number,
): Promise<MailDelivery> {
  if (context.config.smtpUrl === null) throw new ApiError('noMailServer')
  await transact(context.db, async (trx) => {
    const held = await listHeldMails(trx, workspaceId)
    await enqueueJobs(trx, held.map(toSendJob))
  })
  context.jobs.wake()
  return readDelivery(context, workspaceId)
}

/** Deletes the held mails of a workspace. */
export async function discardHeldMails(
  context: Pick<AppContext, 'db' | 'config'>,
  workspaceId: number,
): Promise<MailDelivery> {
  await deleteHeldMails(context.db, workspaceId)
  return readDelivery(context, workspaceId)
}
