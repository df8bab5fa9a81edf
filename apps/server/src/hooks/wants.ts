import type { HookEventType } from '@fairlead/contract'
import { parseJsonText } from '../db/json-text.ts'
import type { HookRow } from './store.ts'

/** Comes in bursts, so `*` leaves it out. */
const unlessNamed = 'install.recorded'

/** Says whether a hook is to be told of an event of an application, or of none. */
export function isWanted(
  hook: Pick<HookRow, 'events' | 'application_ids'>,
  { type, applicationId }: { type: HookEventType; applicationId: number | null },
): boolean {
  const events = parseJsonText(hook.events)
  if (!events.includes(type) && (!events.includes('*') || type === unlessNamed)) return false
  if (hook.application_ids === null) return true
  return applicationId !== null && parseJsonText(hook.application_ids).includes(applicationId)
}
