import { randomBytes } from 'node:crypto'
import { findAccountByEmail } from '../accounts/find.ts'
import { hashSecret } from '../secrets/hash-secret.ts'
import type { AppContext } from '../context.ts'
import { html } from '../html/html.ts'
import type { JobHandler } from '../jobs/job.ts'
import { enqueueMails, type NewMail } from '../mails/enqueue.ts'
import { renderButton, renderMail } from '../mails/layout.ts'
import { insertPasswordReset } from './store.ts'
import { transact } from '../db/transact.ts'

const lifetime = 60 * 60 * 1000

/** Creates a reset link and mails it. Without a mail server the link is printed to standard output for the operator. */
export function createPasswordResetSender({
  db,
  config,
  jobs,
}: Pick<AppContext, 'db' | 'config' | 'jobs'>): JobHandler<'reset-password'> {
  return {
    async run({ email }) {
      const account = await findAccountByEmail({ db }, email)
      if (!account) return undefined
      const token = randomBytes(32).toString('base64url')
      const url = `${config.baseUrl}/reset?token=${token}`
      await transact(db, async (trx) => {
        await insertPasswordReset(trx, {
          account_id: account.id,
          token_hash: hashSecret(token),
          expires_at: Date.now() + lifetime,
        })
        if (config.smtpUrl !== null) await enqueueMails({ db: trx, config }, null, [createMail(account.email, url)])
      })
      if (config.smtpUrl === null) console.log(`Password reset for ${account.email}: ${url}`)
      jobs.wake()
      return undefined
    },
  }
}

function createMail(recipient: string, url: string): NewMail {
  const title = 'Choose a new password'
  const sentence = 'Somebody, probably you, asked for a new password for Fairlead.'
  const rest = 'The link works once, for an hour. If it was not you, do nothing: your password stays as it is.'
  return {
    recipient,
    subject: title,
    text: [sentence, url, rest].join('\n\n'),
    html: renderMail(
      title,
      html`<h1 style="margin:0;font-size:22px">${title}</h1>
        <p>${sentence}</p>
        ${renderButton(url, title)}
        <p style="margin:0;font-size:13px;color:#6b7280">${rest}</p>`,
    ),
  }
}
