import type { AccountRow } from '../accounts/account.ts'
import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import { html } from '../html/html.ts'
import { enqueueMails, type NewMail } from '../mails/enqueue.ts'
import { renderMail } from '../mails/layout.ts'
import { listServerAdministrators } from './store.ts'

/** Tells the other administrators of the server that one of them has signed in with a password. */
export async function tellOtherAdministrators(
  { db, config, jobs }: Pick<AppContext, 'db' | 'config' | 'jobs'>,
  account: AccountRow,
  address: string,
): Promise<void> {
  await transact(db, async (trx) => {
    const others = (await listServerAdministrators(trx)).filter(({ id }) => id !== account.id)
    const mails = others.map(({ email }) => createMail(email, account, address))
    await enqueueMails({ db: trx, config }, null, mails)
  })
  jobs.wake()
}

function createMail(recipient: string, { name, email }: AccountRow, address: string): NewMail {
  const title = `${name} signed in with a password`
  const sentence = `${name} (${email}) signed in with a password, from ${address}.`
  const rest =
    'Passwords are off on this server for everybody but its administrators. If it was not them, disable the account.'
  return {
    recipient,
    subject: title,
    text: [sentence, rest].join('\n\n'),
    html: renderMail(
      title,
      html`<h1 style="margin:0;font-size:22px">${title}</h1>
        <p>${sentence}</p>
        <p style="margin:0;font-size:13px;color:#6b7280">${rest}</p>`,
    ),
  }
}
