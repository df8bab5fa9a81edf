import type { HookFormat } from '@fairlead/contract'
import { isAcceptedByFeishu, signFeishuBody } from './chats/feishu.ts'
import type { OpenHook } from './open-hook.ts'

/** Returns the bytes of one attempt. */
export function toSentBody({ format, feishu_secret: secret }: OpenHook, text: string, now: number): string {
  return format === 'feishu' && secret !== null ? signFeishuBody(text, secret, now) : text
}

/** Reads the answer of a chat, whose status is not the whole truth. */
export function isAccepted(format: HookFormat, text: string | null): boolean {
  return format !== 'feishu' || isAcceptedByFeishu(text)
}
