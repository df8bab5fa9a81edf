import { ApiError, type HookDelivery } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { transact } from '../db/transact.ts'
import { hurryDeliveries, insertDeliveries, listUndelivered, type Undelivered } from './delivery-store.ts'
import { requireDelivery, requireHook, toHookDelivery } from './hook.ts'
import type { HookRow } from './store.ts'
import { storeEvent, toNewDelivery } from './tell-hooks.ts'
import { isWanted } from './wants.ts'

type Context = Pick<AppContext, 'db' | 'jobs'>

/** How many events one transaction sends again. */
const batchSize = 200

/** Sends a test to a hook, whatever events it wants. @throws {ApiError} hookNotFound, hookOff */
export async function testHook(context: Context, workspaceId: number, id: number): Promise<HookDelivery> {
  const delivery = await transact(context.db, async (trx) => {
    const hook = await requireHookThatIsOn(trx, workspaceId, id)
    const of = { type: 'hook.test' as const, workspaceId, applicationId: null }
    const eventId = await storeEvent(trx, of, { data: { hookId: hook.id } }, hook.id)
    const [deliveryId = 0] = await insertDeliveries(trx, [toNewDelivery(workspaceId, id, eventId, Date.now())])
    return requireDelivery(trx, workspaceId, deliveryId)
  })
  context.jobs.wake()
  return toHookDelivery(delivery)
}

/** Sends a delivery again, with the same id and body. @throws {ApiError} hookDeliveryNotFound, hookOff */
export async function redeliver(context: Context, workspaceId: number, id: number): Promise<HookDelivery> {
  const repeated = await transact(context.db, async (trx) => {
    const delivery = await requireDelivery(trx, workspaceId, id)
    await requireHookThatIsOn(trx, workspaceId, delivery.hook_id)
    const { hook_id: hookId, event_id: eventId, body } = delivery
    const fresh = { ...toNewDelivery(workspaceId, hookId, eventId, Date.now()), body, redelivery_of: id }
    const [newId = 0] = await insertDeliveries(trx, [fresh])
    return requireDelivery(trx, workspaceId, newId)
  })
  context.jobs.wake()
  return toHookDelivery(repeated)
}

/**
 * Sends each event since a time that the hook wants and of which no delivery succeeded, also those that it missed while
 * it was off. A delivery that still waits is made at once instead of a second one.
 *
 * @throws {ApiError} hookNotFound, hookOff
 */
export async function redeliverSince(
  context: Context,
  workspaceId: number,
  id: number,
  since: number,
): Promise<{ count: number }> {
  const hook = await requireHookThatIsOn(context.db, workspaceId, id)
  let count = 0
  for (let above = 0; ;) {
    const range = { since: Math.max(since, hook.created_at), above, limit: batchSize }
    const events = await listUndelivered(context.db, hook, range)
    const last = events.at(-1)
    if (!last) break
    const wanted = events.filter((event) => event.hook_id === hook.id || isWantedEvent(hook, event))
    await transact(context.db, (trx) => deliverAgain(trx, hook, wanted))
    context.jobs.wake()
    count += wanted.length
    above = last.id
  }
  return { count }
}

function isWantedEvent(hook: HookRow, { type, application_id: applicationId, last_id: lastId }: Undelivered): boolean {
  return lastId !== null || isWanted(hook, { type, applicationId })
}

async function deliverAgain(trx: Db, hook: HookRow, events: Undelivered[]): Promise<void> {
  const now = Date.now()
  await hurryDeliveries(
    trx,
    events.flatMap(({ waiting_id: id }) => (id === null ? [] : [id])),
    now,
  )
  const rest = events.filter(({ waiting_id: id }) => id === null)
  await insertDeliveries(
    trx,
    rest.map(({ id, body, last_id: lastId }) => {
      return { ...toNewDelivery(hook.workspace_id, hook.id, id, now), body, redelivery_of: lastId }
    }),
  )
}

async function requireHookThatIsOn(db: Db, workspaceId: number, id: number): Promise<HookRow> {
  const hook = await requireHook(db, workspaceId, id)
  if (hook.is_enabled !== 1) throw new ApiError('hookOff')
  return hook
}
