/**
 * Makes the attempts that are due. The rows of deliveries are the queue: a process claims some for a short time, and
 * what a dead process had claimed is free again after it. Deliveries are apart from the table of jobs, because a
 * receiver may hold up an attempt for twenty seconds, and no mail or crash is to wait behind it.
 */
import { setTimeout } from 'node:timers/promises'
import type { AppContext } from '../context.ts'
import type { Engine } from '../db/engine.ts'
import type { Row } from '../db/schema.ts'
import { attemptDelivery } from './attempt.ts'
import { createBody } from './body.ts'
import { findEventRow } from './delivery-store.ts'
import { recordOutcome } from './finish.ts'
import {
  claimDeliveries,
  findHookOfDelivery,
  listWaitingHooks,
  releaseDeliveries,
  storeBody,
  type WaitingHook,
} from './queue-store.ts'
import { divideTurns, processPlaces } from './turns.ts'
import { userAgent } from './user-agent.ts'

type Context = Pick<AppContext, 'db' | 'config' | 'log' | 'jobs'>

/** Longer than an attempt may take: 15 s to the headers, 5 s for the rest. */
const leaseMs = 30_000
const pollMs = 2000
/** The most hooks that are looked at in one turn; the others get the next one. */
const maxHooks = 1000

/** Starts to deliver. On disposal no attempt begins, and those that run are ended and made again later. */
export async function startDeliveries(context: Context): Promise<AsyncDisposable> {
  const { db, config, log, jobs } = context
  if (config.databaseUrl === null) await releaseDeliveries(db)
  const engine: Engine = config.databaseUrl === null ? 'sqlite' : 'postgres'
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  let last = 0

  const loop = async () => {
    while (!stopping.signal.aborted) {
      const seen = jobs.calls
      try {
        const hooks = await listWaitingHooks(db, Date.now(), maxHooks)
        const claimed = running.size < processPlaces ? await claim(hooks) : []
        for (const delivery of claimed) start(delivery)
        if (claimed.length === 0) await rest(seen, hooks)
      } catch (error) {
        log.error({ err: error }, 'the deliveries of hooks cannot be read')
        await setTimeout(pollMs, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
    await Promise.all(running)
  }

  async function claim(hooks: WaitingHook[]): Promise<Row<'hook_deliveries'>[]> {
    const now = Date.now()
    const turns = divideTurns(hooks, { free: processPlaces - running.size, now, last })
    last = turns.last
    const claimed: Row<'hook_deliveries'>[] = []
    for (const [hookId, limit] of turns.places) {
      claimed.push(...(await claimDeliveries(db, hookId, { engine, now, until: Date.now() + leaseMs, limit })))
    }
    return claimed
  }

  function start(delivery: Row<'hook_deliveries'>): void {
    const run = deliver(context, delivery, stopping.signal)
      .catch((error: unknown) => log.error({ err: error, delivery: delivery.id }, 'a delivery could not be recorded'))
      .finally(() => running.delete(run))
    running.add(run)
  }

  /** Waits until something may be due, or a place is free. */
  async function rest(seen: number, hooks: WaitingHook[]): Promise<void> {
    const times = hooks.flatMap(({ due_at: dueAt }) => dueAt ?? [])
    const ms = Math.min(pollMs, Math.max(Math.min(...times) - Date.now(), 20))
    await (running.size >= processPlaces
      ? Promise.race(running)
      : Promise.race([jobs.sleep(seen, times.length === 0 ? pollMs : ms), ...running]))
  }

  const ended = loop()
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      jobs.wake()
      await ended
    },
  }
}

async function deliver(context: Context, delivery: Row<'hook_deliveries'>, signal: AbortSignal): Promise<void> {
  const { db, config } = context
  const hook = await findHookOfDelivery(db, delivery.hook_id)
  if (!hook) return
  const event = await findEventRow(db, delivery.event_id)
  const body = delivery.body ?? createBody(hook, event, config.baseUrl)
  // Stored before it is sent, so that a process that dies meanwhile does not make another one, and later attempts send
  // the same bytes.
  if (delivery.body === null) await storeBody(db, delivery.id, body)
  const sent = { webhookId: event.webhook_id, body }
  const outcome = await attemptDelivery({ allow: config.hooks.allow, userAgent }, hook, sent, signal)
  // An attempt that the shutdown has cut is no failure of the receiver; the next process makes it again.
  if (signal.aborted && outcome.status === null) return
  await recordOutcome(context, hook, delivery, outcome)
}
