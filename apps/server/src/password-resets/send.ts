import { randomBytes } from 'node:crypto'
import type { AccountRow } from '../accounts/account.ts'
import { findAccountByEmail } from '../accounts/find.ts'
import type { Config } from '../config.ts'
import { hashSecret } from '../secrets/hash-secret.ts'
import type { AppContext } from '../context.ts'
import { html } from '../html/html.ts'
import type { JobHandler } from '../jobs/job.ts'
import { enqueueMails, type NewMail } from '../mails/enqueue.ts'
import { renderButton, renderMail } from '../mails/layout.ts'
import { insertPasswordReset } from './store.ts'
import { transact } from '../db/transact.ts'

const lifetime = 60 * 60 * 1000

/** Creates a reset link and mails it. Without a mail server it does nothing. */
export function createPasswordResetSender({
  db,
  config,
  jobs,
}: Pick<AppContext, 'db' | 'config' | 'jobs'>): JobHandler<'reset-password'> {
  return {
    async run({ email }) {
      const account = await findAccountByEmail({ db }, email)
      if (!account || account.disabled_at !== null || config.smtpUrl === null) return undefined
      await transact(db, async (trx) => {
        const url = await createResetUrl({ db: trx, config }, account)
        await enqueueMails({ db: trx, config }, null, [createMail(account.email, url)])
      })
      jobs.wake()
      return undefined
    },
  }
}

/** Creates a link that sets a new password once, within an hour. */
export async function createResetUrl(
  { db, config }: Pick<AppContext, 'db'> & { config: Pick<Config, 'baseUrl'> },
  account: Pick<AccountRow, 'id'>,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await insertPasswordReset(db, {
    account_id: account.id,
    token_hash: hashSecret(token),
    expires_at: Date.now() + lifetime,
  })
  return `${config.baseUrl}/reset?token=${token}`
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
