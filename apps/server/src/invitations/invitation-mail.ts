import { html } from '../html/html.ts'
import type { NewMail } from '../mails/enqueue.ts'
import { renderButton, renderMail } from '../mails/layout.ts'

export interface InvitationMail {
  email: string
  /** Null when an API token sent the invitation. */
  invitedBy: string | null
  workspaceName: string
  inviteUrl: string
}

export function createInvitationMail({ email, invitedBy, workspaceName, inviteUrl }: InvitationMail): NewMail {
  const title = `Join ${workspaceName} on Fairlead`
  const who = invitedBy === null ? 'You are invited' : `${invitedBy} invites you`
  const sentence = `${who} to ${workspaceName}, where a team keeps the builds of its apps.`
  const rest = 'The link works once, for seven days.'
  return {
    recipient: email,
    subject: title,
    text: [sentence, inviteUrl, rest].join('\n\n'),
    html: renderMail(
      title,
      html`<h1 style="margin:0;font-size:22px">${title}</h1>
        <p>${sentence}</p>
        ${renderButton(inviteUrl, 'Accept the invitation')}
        <p style="margin:0;font-size:13px;color:#6b7280">${rest}</p>`,
    ),
  }
}
