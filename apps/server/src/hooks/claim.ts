import type { Engine } from '../db/engine.ts'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { createBody } from './body.ts'
import { findEventRow } from './delivery-store.ts'
import { claimDeliveries, findHookOfDelivery, storeBody } from './queue-store.ts'
import type { HookRow } from './store.ts'

/** Longer than an attempt may take: 15 s to the headers, 5 s for the rest. */
const leaseMs = 30_000

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
    const claimed: ClaimedDelivery[] = []
    for (const [hookId, limit] of places) {
      const deliveries = await claimDeliveries(trx, hookId, { engine, now, until: Date.now() + leaseMs, limit })
      const hook = deliveries.length === 0 ? undefined : await findHookOfDelivery(trx, hookId)
      if (!hook) continue
      for (const delivery of deliveries) {
        const event = await findEventRow(trx, delivery.event_id)
        const body = delivery.body ?? createBody(hook, event, baseUrl)
        if (delivery.body === null) await storeBody(trx, delivery.id, body)
        claimed.push({ delivery, hook, webhookId: event.webhook_id, body })
      }
    }
    return claimed
  })
}
