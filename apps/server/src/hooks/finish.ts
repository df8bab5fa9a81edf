import { ApiError } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { enqueueMails } from '../mails/enqueue.ts'
import { listAdministrators } from '../members/list-administrators.ts'
import type { Outcome } from './attempt.ts'
import { stopDeliveries } from './delivery-store.ts'
import { createHookOffMail } from './hook-off-mail.ts'
import { finishAttempt, insertAttempts, lockHooksById, turnOff, updateHookOutcomes } from './queue-store.ts'
import type { OpenHook } from './open-hook.ts'

type Context = Pick<AppContext, 'db' | 'config' | 'jobs'>
type Claimed = Row<'hook_deliveries'>

const gone = 410
/** Each pause is up to this part longer, so that deliveries that failed together do not come back together. */
const longestExtra = 0.2

/** An attempt that has ended. */
export interface EndedAttempt {
  hook: OpenHook
  delivery: Claimed
  outcome: Outcome
}

/** Records the outcomes of attempts in one transaction, and turns hooks off for which there is no hope. */
export async function recordOutcomes(context: Context, attempts: readonly EndedAttempt[]): Promise<void> {
  const gaveUp = await transact(context.db, (trx) => recordInTransaction({ ...context, db: trx }, attempts, true))
  // A hook that was turned off has enqueued mails.
  if (gaveUp) context.jobs.wake()
}

/** Records the outcome of an attempt. It counts more than the mail about it. */
export async function recordOutcome(context: Context, attempt: EndedAttempt): Promise<void> {
  await recordOutcomes(context, [attempt]).catch(async (error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'tooManyMails') throw error
    await transact(context.db, (trx) => recordInTransaction({ ...context, db: trx }, [attempt], false))
  })
}

/** Returns whether a delivery was given up. An attempt whose claim is another's by now changes nothing. */
async function recordInTransaction(
  context: Context,
  attempts: readonly EndedAttempt[],
  mails: boolean,
): Promise<boolean> {
  const { db } = context
  const now = Date.now()
  const recorded: EndedAttempt[] = []
  const failed: EndedAttempt[] = []
  await lockHooksById(db, listHookIds(attempts))
  for (const attempt of attempts) {
    const { delivery, outcome } = attempt
    const next = toNext(context.config.hooks.retryMs, delivery, outcome, now)
    const count = delivery.attempt_count + 1
    const values = { attempt_count: count, last_status: outcome.status, last_error: outcome.error, ...next }
    if (!(await finishAttempt(db, delivery, values))) continue
    recorded.push(attempt)
    if (next.state === 'failed') failed.push(attempt)
  }
  await insertAttempts(db, recorded.map(toAttemptRow))
  const { succeeded = [], rest = [] } = Object.groupBy(recorded, ({ outcome }) =>
    outcome.error === null ? 'succeeded' : 'rest',
  )
  await updateHookOutcomes(db, listHookIds(succeeded), { last_success_at: now })
  await updateHookOutcomes(db, listHookIds(rest), { last_failure_at: now })
  for (const { hook, outcome } of failed) await turnOffIfHopeless(context, hook, outcome, { now, mails })
  return failed.length > 0
}

function toAttemptRow({ delivery, outcome }: EndedAttempt) {
  return {
    workspace_id: delivery.workspace_id,
    delivery_id: delivery.id,
    started_at: outcome.startedAt,
    duration_ms: outcome.durationMs,
    status: outcome.status,
    error: outcome.error,
    excerpt: outcome.excerpt,
  }
}

function listHookIds(attempts: readonly EndedAttempt[]): number[] {
  return [...new Set(attempts.map(({ hook }) => hook.id))]
}

function toNext(retryMs: readonly number[], { attempt_count: before }: Claimed, outcome: Outcome, now: number) {
  if (outcome.error === null) return { state: 'succeeded' as const, next_attempt_at: null, finished_at: now }
  const pause = outcome.status === gone ? undefined : retryMs[before]
  if (pause === undefined) return { state: 'failed' as const, next_attempt_at: null, finished_at: now }
  const wait = Math.round(pause * (1 + Math.random() * longestExtra))
  const nextAttemptAt = now + Math.max(wait, outcome.retryAfterMs ?? wait)
  return { state: 'waiting' as const, next_attempt_at: nextAttemptAt, finished_at: null }
}

/** A receiver that says 410 is gone; one to which nothing came through for days is failing. */
async function turnOffIfHopeless(
  { db, config }: Pick<Context, 'config'> & { db: Db },
  hook: OpenHook,
  { status }: Outcome,
  { now, mails }: { now: number; mails: boolean },
): Promise<void> {
  const isGone = status === gone
  const reason = isGone ? 'gone' : 'failing'
  const quietSince = isGone ? null : now - config.hooks.disableMs
  if (!(await turnOff(db, hook.id, { reason, now, quietSince }))) return
  await stopDeliveries(db, hook.id, now)
  if (!mails) return
  const administrators = await listAdministrators(db, hook.workspace_id)
  const toMail = createHookOffMail(hook, reason, config.baseUrl)
  await enqueueMails({ db, config }, hook.workspace_id, administrators.map(toMail))
}
