import { html, type Html } from '../html/html.ts'
import type { Language } from '../install/language.ts'
import { toShownText } from '../install/shown-text.ts'

export interface MailsSection {
  workspaceName: string
  email: string
  isSubscribed: boolean
  /** The path that the form is sent to, and its field for either choice. */
  action: string
  field: { off: [name: string, value: string]; on: [name: string, value: string] }
}

/** Says whether mails are on, with a button to change it. */
export function renderMailsState(
  { workspaceName, email, isSubscribed, action, field }: MailsSection,
  { words: { testerPage: words } }: Language,
): Html {
  const [name, value] = isSubscribed ? field.off : field.on
  const [workspace, address] = [toShownText(workspaceName), toShownText(email)]
  const says = isSubscribed ? words.mailsOn(workspace, address) : words.mailsOff(workspace, address)
  return html`<p role="status">${says}</p>
    <form method="post" action="${action}">
      <input type="hidden" name="${name}" value="${value}" />
      <button class="action second" type="submit">${isSubscribed ? words.turnOff : words.turnOn}</button>
    </form>`
}
