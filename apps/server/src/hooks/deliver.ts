/**
 * Makes the attempts that are due. The rows of deliveries are the queue: a process claims some for a short time, which
 * it renews while an attempt runs, and what a dead process had claimed is free again after it. Deliveries are apart
 * from the table of jobs, because a receiver may hold up an attempt for twenty seconds, and no mail or crash is to wait
 * behind it.
 */
import { setTimeout } from 'node:timers/promises'
import type { AppContext } from '../context.ts'
import type { Engine } from '../db/engine.ts'
import { attemptDelivery, type Sender } from './attempt.ts'
import { type ClaimedDelivery, claimTurns } from './claim.ts'
import { type Claims, keepClaims } from './claims.ts'
import { openHook } from './open-hook.ts'
import { createOutcomeRecorder } from './outcome-recorder.ts'
import { listWaitingHooks, releaseDeliveries, type WaitingHook } from './queue-store.ts'
import { divideTurns, hasPlace, processPlaces } from './turns.ts'
import { createResolver } from '../outbound/resolver.ts'
import { userAgent } from './user-agent.ts'

type Context = Pick<AppContext, 'db' | 'config' | 'log' | 'jobs'>

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
  const sender: Sender = { allow: config.hooks.allow, resolve: createResolver(), userAgent }
  const recorder = createOutcomeRecorder(context)
  const claims = keepClaims(context)
  let last = 0

  const loop = async () => {
    while (!stopping.signal.aborted) {
      const seen = jobs.calls
      try {
        const hooks = await listWaitingHooks(db, Date.now(), maxHooks)
        const claimed = running.size < processPlaces ? await claim(hooks) : []
        for (const one of claimed) start(one)
        if (claimed.length === 0) await rest(seen, hooks)
      } catch (error) {
        log.error({ err: error }, 'the deliveries of hooks cannot be read')
        await setTimeout(pollMs, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
    await Promise.all(running)
    claims[Symbol.dispose]()
  }

  async function claim(hooks: WaitingHook[]): Promise<ClaimedDelivery[]> {
    const now = Date.now()
    const turns = divideTurns(hooks, { free: processPlaces - running.size, now, last })
    last = turns.last
    return claimTurns(db, turns.places, { engine, now, baseUrl: config.baseUrl })
  }

  function start(claimed: ClaimedDelivery): void {
    const { id } = claimed.delivery
    const run = deliver({ ...context, recorder, claims }, sender, claimed, stopping.signal)
      .catch((error: unknown) => log.error({ err: error, delivery: id }, 'a delivery could not be made or recorded'))
      .finally(() => running.delete(run))
    running.add(run)
  }

  /** Waits until something may be due, or a place is free. */
  async function rest(seen: number, hooks: WaitingHook[]): Promise<void> {
    const times = hooks.filter(hasPlace).flatMap(({ due_at: dueAt }) => dueAt ?? [])
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

async function deliver(
  context: Context & { recorder: ReturnType<typeof createOutcomeRecorder>; claims: Claims },
  sender: Sender,
  { delivery, hook: row, ...sent }: ClaimedDelivery,
  signal: AbortSignal,
): Promise<void> {
  // A replica that lacks the key leaves the delivery to one that has it, when its claim is over.
  const hook = openHook(context.config, row)
  context.claims.keep(delivery)
  const outcome = await attemptDelivery(sender, hook, sent, signal)
  // An attempt that the shutdown has cut is no failure of the receiver; the next process makes it again.
  if (signal.aborted && outcome.status === null) return context.claims.release(delivery)
  await context.claims.drop(delivery)
  await context.recorder.record({ hook, delivery, outcome })
}
