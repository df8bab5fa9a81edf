import { html } from '../html/html.ts'
import type { NewMail } from '../mails/enqueue.ts'
import { renderButton, renderMail } from '../mails/layout.ts'
import type { OpenHook } from './open-hook.ts'

const reasons = {
  gone: 'Its receiver answered 410 Gone, which means that it wants no more deliveries.',
  failing: 'A delivery was given up, and none has succeeded for days.',
}

/** Creates the mails that tell administrators that a hook was turned off. */
export function createHookOffMail(
  hook: Pick<OpenHook, 'id' | 'name' | 'url'>,
  reason: 'gone' | 'failing',
  baseUrl: string,
): (recipient: string) => NewMail {
  const title = `The hook “${hook.name}” was turned off`
  const { host } = new URL(hook.url)
  const next = 'Turn it on again when the receiver is back. “Send again what failed” then sends what it missed.'
  const url = `${baseUrl}/hooks/${hook.id}`
  return (recipient) => ({
    recipient,
    subject: title,
    text: [title, `Receiver: ${host}`, reasons[reason], next, url].join('\n\n'),
    html: renderMail(
      title,
      html`<h1 style="margin:0 0 16px;font-size:22px">${title}</h1>
        <p style="margin:0 0 16px;color:#6b7280">${host}</p>
        <p style="margin:0 0 16px">${reasons[reason]}</p>
        <p style="margin:0 0 16px">${next}</p>
        ${renderButton(url, 'Open the hook')}`,
    ),
  })
}
