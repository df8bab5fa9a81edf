import { ApiError, type Mail } from '@fairlead/contract'
import { requireAt } from '@fairlead/invariant'
import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import { html } from '../html/html.ts'
import { enqueueMails, type NewMail } from './enqueue.ts'
import { renderMail } from './layout.ts'
import { toMail } from './mail.ts'
import { requireMail } from './store.ts'

/**
 * Puts a mail into the outbox that shows that mails arrive.
 *
 * @throws {ApiError} noMailServer, tooManyMails
 */
export async function sendTestMail(
  { db, config, jobs }: Pick<AppContext, 'db' | 'config' | 'jobs'>,
  workspaceId: number,
  recipient: string,
): Promise<Mail> {
  if (config.smtpUrl === null) throw new ApiError('noMailServer')
  const mail = await transact(db, async (trx) => {
    const ids = await enqueueMails({ db: trx, config }, workspaceId, [createMail(recipient, config.baseUrl)])
    return requireMail(trx, workspaceId, requireAt(ids, 0))
  })
  jobs.wake()
  return toMail(mail)
}

function createMail(recipient: string, baseUrl: string): NewMail {
  const title = 'Mails from Fairlead arrive'
  const sentence = `This is a test of the mail server that ${baseUrl} uses. There is nothing to do.`
  return {
    recipient,
    subject: title,
    text: sentence,
    html: renderMail(
      title,
      html`<h1 style="margin:0;font-size:22px">${title}</h1>
        <p>${sentence}</p>`,
    ),
  }
}
