import { randomBytes } from 'node:crypto'
import type { HookEventType } from '@fairlead/contract'
import { toJsonText } from '../db/json-text.ts'
import type { Db } from '../db/open.ts'
import type { StoredEvent } from '../db/schema/hooks.ts'
import { insertDeliveries } from './delivery-store.ts'
import { findApplicationName, insertEvent, listListeners } from './store.ts'
import { isWanted } from './wants.ts'

interface EventOf {
  type: HookEventType
  workspaceId: number
  applicationId: number | null
}

export type EventFacts = Pick<StoredEvent, 'data' | 'installSecret' | 'texts' | 'people'>

/**
 * Tells the hooks of a workspace of a change. Call it in the transaction of the change, so that neither is without the
 * other, and wake the worker after the commit. The facts are asked for only if a hook wants the event. An event is kept
 * for a hook that is off as well, which may be sent what it missed.
 */
export async function tellHooks(
  trx: Db,
  of: EventOf,
  describe: () => EventFacts | EventFacts[] | Promise<EventFacts | EventFacts[]>,
): Promise<void> {
  const hooks = (await listListeners(trx, of.workspaceId)).filter((hook) => isWanted(hook, of))
  if (hooks.length === 0) return
  const listening = hooks.filter((hook) => hook.is_enabled === 1)
  for (const facts of [await describe()].flat()) {
    const eventId = await storeEvent(trx, of, facts, null)
    const now = Date.now()
    await insertDeliveries(
      trx,
      listening.map((hook) => toNewDelivery(of.workspaceId, hook.id, eventId, now)),
    )
  }
}

/** Stores an event for one hook, or for all that want it. */
export async function storeEvent(trx: Db, of: EventOf, facts: EventFacts, hookId: number | null): Promise<number> {
  const application = of.applicationId === null ? undefined : await findApplicationName(trx, of.applicationId)
  return insertEvent(trx, {
    workspace_id: of.workspaceId,
    application_id: application ? of.applicationId : null,
    hook_id: hookId,
    type: of.type,
    // Standard Webhooks signs the id before a dot, so it holds none.
    webhook_id: `msg_${randomBytes(16).toString('hex')}`,
    event: toJsonText({
      applicationId: of.applicationId,
      applicationAlias: application?.alias ?? null,
      applicationName: application?.name ?? null,
      ...facts,
    }),
    created_at: Date.now(),
  })
}

export function toNewDelivery(workspaceId: number, hookId: number, eventId: number, now: number) {
  return {
    workspace_id: workspaceId,
    hook_id: hookId,
    event_id: eventId,
    state: 'waiting' as const,
    next_attempt_at: now,
    created_at: now,
  }
}
