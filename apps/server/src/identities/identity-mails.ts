import type { AccountRow } from '../accounts/account.ts'
import { html } from '../html/html.ts'
import type { NewMail } from '../mails/enqueue.ts'
import { renderButton, renderMail } from '../mails/layout.ts'

/** Tells a person that an account was made for them, or that another way into their account was added. */
export function createIdentityMail(
  kind: 'created' | 'linked',
  { email }: Pick<AccountRow, 'email'>,
  providerName: string,
  baseUrl: string,
): NewMail {
  const title =
    kind === 'created'
      ? `You signed in through ${providerName} for the first time`
      : `${providerName} was linked to your account`
  const sentence =
    kind === 'created'
      ? `An account of Fairlead was made for ${email}, because you signed in through ${providerName}.`
      : `Your account of Fairlead, ${email}, can now be signed in to through ${providerName}.`
  const rest =
    kind === 'created'
      ? 'If it was not you, tell the people who run the server.'
      : 'If it was not you, remove this way to sign in, change your password, and tell the people who run the server.'
  const url = `${baseUrl}/account`
  return {
    recipient: email,
    subject: title,
    text: [sentence, rest, url].join('\n\n'),
    html: renderMail(
      title,
      html`<h1 style="margin:0;font-size:22px">${title}</h1>
        <p>${sentence}</p>
        ${renderButton(url, 'Open my account')}
        <p style="margin:0;font-size:13px;color:#6b7280">${rest}</p>`,
    ),
  }
}
