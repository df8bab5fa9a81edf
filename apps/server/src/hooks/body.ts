import { parseJsonText } from '../db/json-text.ts'
import type { Row } from '../db/schema.ts'
import { toPayload, toStandardBody } from './standard-body.ts'
import type { HookRow } from './store.ts'

/** Makes the body of a delivery, once: every attempt sends the same bytes. */
export function createBody(
  hook: Pick<HookRow, 'includes' | 'format'>,
  event: Row<'hook_events'>,
  baseUrl: string,
): string {
  return toStandardBody(toPayload(event, parseJsonText(hook.includes), baseUrl))
}
