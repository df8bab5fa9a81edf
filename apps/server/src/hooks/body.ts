import type { HookFormat } from '@fairlead/contract'
import { parseJsonText } from '../db/json-text.ts'
import type { Row } from '../db/schema.ts'
import { toDiscordBody } from './chats/discord.ts'
import { toFeishuBody } from './chats/feishu.ts'
import { toGoogleChatBody } from './chats/google-chat.ts'
import { toMattermostBody } from './chats/mattermost.ts'
import { type ChatMessage, toMessage } from './chats/message.ts'
import { toSlackBody } from './chats/slack.ts'
import { toTeamsBody } from './chats/teams.ts'
import { toPayload, toStandardBody } from './standard-body.ts'
import type { HookRow } from './store.ts'

const chats: Record<Exclude<HookFormat, 'standard'>, (message: ChatMessage) => object> = {
  slack: toSlackBody,
  teams: toTeamsBody,
  discord: toDiscordBody,
  googleChat: toGoogleChatBody,
  feishu: toFeishuBody,
  mattermost: toMattermostBody,
}

/** Makes the body of a delivery, once: every attempt sends the same bytes. */
export function createBody(
  { includes, format }: Pick<HookRow, 'includes' | 'format'>,
  event: Row<'hook_events'>,
  baseUrl: string,
): string {
  const payload = toPayload(event, parseJsonText(includes), baseUrl)
  if (format === 'standard') return toStandardBody(payload)
  return JSON.stringify(chats[format](toMessage(payload, parseJsonText(event.event))))
}
