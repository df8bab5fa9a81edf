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
import { finishAttempt, insertAttempt, turnOff, updateHookOutcome } from './queue-store.ts'
import type { HookRow } from './store.ts'

type Context = Pick<AppContext, 'db' | 'config' | 'jobs'>
type Claimed = Row<'hook_deliveries'>

const gone = 410
/** Each pause is up to this part longer, so that deliveries that failed together do not come back together. */
const longestExtra = 0.2

/** Records the outcome of an attempt, and turns the hook off if there is no hope. */
export async function recordOutcome(
  context: Context,
  hook: HookRow,
  delivery: Claimed,
  outcome: Outcome,
): Promise<void> {
  const { db, jobs } = context
  const now = Date.now()
  const next = toNext(context.config.hooks.retryMs, delivery, outcome, now)
  const record = (mails: boolean) =>
    transact(db, async (trx) => {
      const { status, error } = outcome
      const attempt = { attempt_count: delivery.attempt_count + 1, last_status: status, last_error: error }
      if (!(await finishAttempt(trx, delivery, { ...attempt, ...next }))) return
      await insertAttempt(trx, {
        workspace_id: delivery.workspace_id,
        delivery_id: delivery.id,
        started_at: outcome.startedAt,
        duration_ms: outcome.durationMs,
        status,
        error,
        excerpt: outcome.excerpt,
      })
      await updateHookOutcome(trx, hook.id, error === null ? { last_success_at: now } : { last_failure_at: now })
      if (next.state === 'failed') await turnOffIfHopeless({ ...context, db: trx }, hook, outcome, { now, mails })
    })
  await record(true).catch((error: unknown) => {
    // The outcome counts more than the mail about it.
    if (!(error instanceof ApiError) || error.code !== 'tooManyMails') throw error
    return record(false)
  })
  // A hook that was turned off has enqueued mails.
  if (next.state === 'failed') jobs.wake()
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
  hook: HookRow,
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
