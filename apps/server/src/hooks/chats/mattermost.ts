import type { ChatMessage } from './message.ts'

/** Makes the body of Mattermost's incoming webhooks. */
export function toMattermostBody({ title, facts, notes, buttons }: ChatMessage): object {
  const [open] = buttons
  const links = buttons.map(({ text, url }) => `[${text}](${url})`).join(' · ')
  return {
    text: escape(title),
    attachments: [
      {
        fallback: escape(title),
        title: escape(title),
        ...(open && { title_link: open.url }),
        text: notes === null ? links : `${escape(notes)}\n\n${links}`,
        fields: facts.map(({ label, value }) => ({ short: true, title: label, value: escape(value) })),
      },
    ],
  }
}

/** Escapes Markdown, and breaks mentions by a zero-width space, because nothing else keeps them from calling people. */
function escape(text: string): string {
  return text.replace(/[\\*_~`|>[\]()#<!]/g, String.raw`\$&`).replace(/@(?=\w)/g, '@\u200B')
}
