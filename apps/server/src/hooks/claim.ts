import type { Engine } from '../db/engine.ts'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { createBody } from './body.ts'
import { leaseMs } from './claims.ts'
import { findEventRow } from './delivery-store.ts'
import { claimDeliveries, listHooksToDeliver, storeBody } from './queue-store.ts'
import type { HookRow } from './store.ts'

/** A delivery that this process has to attempt now. */
export interface ClaimedDelivery {
  delivery: Row<'hook_deliveries'>
  hook: HookRow
  webhookId: string
  body: string
}

/**
 * Claims due deliveries of several hooks in one transaction, which costs one fsync. A body is made and stored before it
 * is sent, so that a process that dies meanwhile does not make another one, and later attempts send the same bytes.
 */
export async function claimTurns(
  db: Db,
  places: ReadonlyMap<number, number>,
  { engine, now, baseUrl }: { engine: Engine; now: number; baseUrl: string },
): Promise<ClaimedDelivery[]> {
  if (places.size === 0) return []
  return transact(db, async (trx) => {
    const hooks = await listHooksToDeliver(trx, [...places.keys()])
    const events = new Map<number, Row<'hook_events'>>()
    // Hooks of the same form that include the same get the same bytes, which are made and stored once.
    const bodies = new Map<string, { body: string; ids: number[] }>()
    const claimed: ClaimedDelivery[] = []
    for (const [hookId, limit] of places) {
      const hook = hooks.get(hookId)
      if (!hook) continue
      const deliveries = await claimDeliveries(trx, hookId, { engine, now, until: Date.now() + leaseMs, limit })
      for (const delivery of deliveries) {
        const event = events.get(delivery.event_id) ?? (await findEventRow(trx, delivery.event_id))
        events.set(event.id, event)
        const form = `${event.id} ${hook.format} ${hook.includes}`
        let body = delivery.body
        if (body === null) {
          const made = bodies.get(form) ?? { body: createBody(hook, event, baseUrl), ids: [] }
          made.ids.push(delivery.id)
          bodies.set(form, made)
          body = made.body
        }
        claimed.push({ delivery, hook, webhookId: event.webhook_id, body })
      }
    }
    for (const { ids, body } of bodies.values()) await storeBody(trx, ids, body)
    return claimed
  })
}
