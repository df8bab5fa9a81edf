import { cutText } from '../standard-body.ts'
import type { ChatMessage } from './message.ts'

const descriptionLength = 4096
const titleLength = 256

/** Makes an embed for Discord. `allowed_mentions` forbids every mention, whatever the texts hold. */
export function toDiscordBody({ title, facts, notes, buttons }: ChatMessage): object {
  const [open] = buttons
  const links = buttons.map(({ text, url }) => `[${text}](${url})`).join(' · ')
  const room = descriptionLength - links.length - 2
  const words = notes === null ? '' : `${cutText(escape(notes), room)}\n\n`
  return {
    embeds: [
      {
        title: cutText(escape(title), titleLength),
        ...(open && { url: open.url }),
        description: words + links,
        fields: facts.slice(0, 10).map(({ label, value }) => ({ name: label, value: escape(value), inline: true })),
      },
    ],
    allowed_mentions: { parse: [] },
  }
}

/** Escapes Markdown, so that no text becomes a link to somewhere else. */
function escape(text: string): string {
  return text.replace(/[\\*_~`|>[\]()#<]/g, String.raw`\$&`)
}
