import { cutText } from '../standard-body.ts'
import type { ChatMessage } from './message.ts'

const headerLength = 150
const sectionLength = 3000
const maxFields = 10

/** Makes the body of Slack's incoming webhooks. `<!channel>` would call everybody, so its marks are escaped. */
export function toSlackBody({ title, facts, notes, buttons }: ChatMessage): object {
  const plain = (text: string) => ({ type: 'plain_text', text, emoji: false })
  const section = (text: string) => ({ type: 'section', text: plain(cutEscaped(text, sectionLength)) })
  const fields = facts.slice(0, maxFields).map(({ label, value }) => plain(`${label}: ${escape(value)}`))
  return {
    text: cutEscaped(title, sectionLength),
    blocks: [
      { type: 'header', text: plain(cutEscaped(title, headerLength)) },
      ...(fields.length > 0 ? [{ type: 'section', fields }] : []),
      ...(notes === null ? [] : [section(notes)]),
      { type: 'actions', elements: buttons.map(({ text, url }) => ({ type: 'button', text: plain(text), url })) },
    ],
  }
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Cuts before escaping, so that no escape is cut in half. */
function cutEscaped(text: string, length: number): string {
  for (let part = text; ; part = cutText(part, part.length - 10)) {
    const escaped = escape(part)
    if (escaped.length <= length) return escaped
  }
}
