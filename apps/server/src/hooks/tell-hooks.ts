import { randomBytes } from 'node:crypto'
import type { HookEventType } from '@fairlead/contract'
import { toJsonText } from '../db/json-text.ts'
import type { Db } from '../db/open.ts'
import type { StoredEvent } from '../db/schema/hooks.ts'
import { enqueueJobs, type NewJob } from '../jobs/enqueue.ts'
import { insertDeliveries } from './delivery-store.ts'
import { findApplicationName, insertEvent, listListeners } from './store.ts'
import { cutText } from './standard-body.ts'
import { isWanted } from './wants.ts'

interface EventOf {
  type: HookEventType
  workspaceId: number
  applicationId: number | null
  /** Hooks that are told whatever events they want. */
  hookIds?: readonly number[]
}

/** How many characters of feedback an alert shows. */
const feedbackExcerpt = 300

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
  const isNamed = ({ id }: { id: number }) => of.hookIds?.includes(id) === true
  const hooks = (await listListeners(trx, of.workspaceId)).filter((hook) => isNamed(hook) || isWanted(hook, of))
  const isForAlerts = of.type === 'feedback.received'
  if (hooks.length === 0 && !isForAlerts) return
  const told = [await describe()].flat()
  if (isForAlerts)
    await enqueueJobs(
      trx,
      told.flatMap((facts) => toFeedbackJob(of, facts)),
    )
  if (hooks.length === 0) return
  for (const facts of told) {
    const eventId = await storeEvent(trx, of, facts, null)
    const now = Date.now()
    const deliveries = hooks.flatMap((hook) => {
      const delivery = toNewDelivery(of.workspaceId, hook.id, eventId, now)
      if (hook.is_enabled === 1) return delivery
      // Only this says that the event was meant for a hook that is off and does not want all such events.
      return isNamed(hook) ? { ...delivery, state: 'stopped' as const, next_attempt_at: null, finished_at: now } : []
    })
    await insertDeliveries(trx, deliveries)
  }
}

/** The layer of alert rules lies above this one, so that they are told of feedback by a job. */
function toFeedbackJob({ applicationId }: EventOf, { data, texts }: EventFacts): NewJob<'alert-of-feedback'>[] {
  const feedbackId = data['feedbackId']
  if (applicationId === null || typeof feedbackId !== 'number') return []
  const text = texts?.['text'] ?? null
  const excerpt = text === null ? null : cutText(text, feedbackExcerpt)
  return [{ kind: 'alert-of-feedback', payload: { applicationId, feedbackId, text: excerpt } }]
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
