import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { ChatMessage } from './message.ts'

/** Makes a card for Feishu and Lark. */
export function toFeishuBody({ title, facts, notes, buttons }: ChatMessage): object {
  const plain = (content: string) => ({ tag: 'plain_text', content: breakMentions(content) })
  const words = [...facts.map(({ label, value }) => `${label}: ${value}`), ...(notes === null ? [] : [notes])]
  return {
    msg_type: 'interactive',
    card: {
      config: { wide_screen_mode: true },
      header: { title: plain(title), template: 'blue' },
      elements: [
        ...words.map((text) => ({ tag: 'div', text: plain(text) })),
        {
          tag: 'action',
          actions: buttons.map(({ text, url }) => ({ tag: 'button', type: 'default', text: plain(text), url })),
        },
      ],
    },
  }
}

function breakMentions(text: string): string {
  return text.replace(/<(?=\/?at\b)/gi, '&lt;')
}

/**
 * Adds Feishu's signature to a body: an HMAC over an empty message, with time and secret as the key. It is refused
 * after an hour, so every attempt makes its own.
 */
export function signFeishuBody(text: string, secret: string, now: number): string {
  const timestamp = String(Math.floor(now / 1000))
  const sign = createHmac('sha256', `${timestamp}\n${secret}`).update('').digest('base64')
  return JSON.stringify({ timestamp, sign, ...z.record(z.string(), z.unknown()).parse(JSON.parse(text)) })
}

const Answer = z.object({ code: z.literal(0) })

/** Feishu answers 200 to what it refuses, with a code. */
export function isAcceptedByFeishu(text: string | null): boolean {
  try {
    return Answer.safeParse(JSON.parse(text ?? '')).success
  } catch {
    return false
  }
}
