import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Engine } from '../db/engine.ts'
import type { Db } from '../db/open.ts'
import { isOutOfSpace } from '../db/out-of-space.ts'
import type { JobHandler, JobHandlers } from './job.ts'
import {
  type ClaimedJob,
  claimJob,
  deleteJob,
  extendClaim,
  findNextClaimEnd,
  findNextRun,
  postponeJob,
} from './store.ts'
import type { WakeUp } from './wake-up.ts'
import { parseJsonText } from '../db/json-text.ts'
import type { JobKind } from '../db/schema/job-payloads.ts'

const concurrency = 6
/** A mail server may hang, so mails leave free places for jobs that need no other machine. */
const mailConcurrency = 4
/**
 * The lease of a claimed job, in milliseconds. A living process keeps extending it; the jobs of a dead one become
 * available after it, and 10 seconds after a crash the verdict of a test run that was being judged has to be there.
 */
const leaseMs = 8000
/** The longest pickup delay when the replica that enqueued a job dies before waking us. */
const pollMs = 2000
/**
 * How long a worker waits after the database was unreachable, in milliseconds. Workers that finished a job meanwhile
 * can record it in this time; otherwise the job, whose lease has ended, would run twice.
 */
const recoveryMs = 3000
/** The retry delays are 1 s, 5 s, 25 s, 2 min, 10 min, 52 min, 4 h and 22 h, so a mail server may be down for a day. */
const attemptLimit = 9
const firstDelayMs = 1000
const delayFactor = 5

/** A job that found the disk full is tried again after this many milliseconds, and the attempt does not count. */
const fullDiskMs = 5000

/** The part of the application context that the worker needs. */
interface WorkerContext {
  db: Db
  config: Pick<Config, 'databaseUrl'>
  log: Logger
  jobs: WakeUp
}

export interface Worker {
  /** Takes no more jobs and resolves when the running ones have ended. */
  stop(): Promise<void>
}

/** Runs jobs from the table, several at a time, until it is stopped. Any number of processes may do so concurrently. */
export function startWorker(context: WorkerContext, handlers: JobHandlers): Worker {
  const { db, config, log, jobs } = context
  const engine: Engine = config.databaseUrl === null ? 'sqlite' : 'postgres'
  const stopping = new AbortController()
  const running = new Map<Promise<void>, string>()

  const loop = async () => {
    let isRecovering = false
    while (!stopping.signal.aborted) {
      if (running.size >= concurrency) {
        await Promise.race(running.keys())
        continue
      }
      const seen = jobs.calls
      try {
        if (isRecovering) {
          await findNextRun(db)
          await setTimeout(recoveryMs, undefined, { signal: stopping.signal }).catch(() => {})
          isRecovering = false
          continue
        }
        const mails = [...running.values()].filter((kind) => kind === 'send-mail')
        const except = mails.length >= mailConcurrency ? 'send-mail' : undefined
        const job = await claimJob(db, { engine, now: Date.now(), leaseMs, except })
        if (job) {
          const run = runJob(context, handlers, job, stopping.signal).finally(() => {
            running.delete(run)
            // The job may be due again before the current sleep would end.
            jobs.wake()
          })
          running.set(run, job.kind)
        } else {
          await jobs.sleep(seen, await timeToNextRun(db, except))
        }
      } catch (error) {
        log.error({ err: error }, 'the jobs table cannot be read')
        isRecovering = true
        await jobs.sleep(seen, pollMs)
      }
    }
    await Promise.all(running.keys())
  }

  const ended = loop()
  return {
    async stop() {
      stopping.abort()
      jobs.wake()
      await ended
    },
  }
}

async function timeToNextRun(db: Db, except: JobKind | undefined): Promise<number> {
  const next = await findNextRun(db, except)
  // What a dead process had claimed is taken over when its lease ends, and not up to a poll later.
  const nextEnd = await findNextClaimEnd(db, Date.now(), except)
  return Math.min(Math.max(Math.min(next ?? Infinity, nextEnd ?? Infinity) - Date.now(), 20), pollMs)
}

/** Never rejects: a failure is recorded in the job's row, or at least in the log. */
async function runJob(
  context: Pick<WorkerContext, 'db' | 'log'>,
  handlers: JobHandlers,
  job: ClaimedJob,
  signal: AbortSignal,
): Promise<void> {
  const { db, log } = context
  const heartbeat = setInterval(() => {
    extendClaim(db, job, Date.now() + leaseMs).catch((error: unknown) => log.warn({ err: error }, 'claim not extended'))
  }, leaseMs / 4)
  try {
    await attemptJob(context, findHandler(handlers, job), job, signal)
  } catch (error) {
    log.error({ err: error, job: job.id }, 'the result of a job could not be stored')
  } finally {
    clearInterval(heartbeat)
  }
}

/** Returns undefined for a kind that only another version of Fairlead has. */
function findHandler(handlers: JobHandlers, { kind }: ClaimedJob): JobHandler<JobKind> | undefined {
  const byKind: Partial<Record<string, JobHandler<JobKind>>> = handlers
  return byKind[kind]
}

async function attemptJob(
  { db, log }: Pick<WorkerContext, 'db' | 'log'>,
  handler: JobHandler<JobKind> | undefined,
  job: ClaimedJob,
  signal: AbortSignal,
): Promise<void> {
  const payload = parseJsonText(job.payload)
  try {
    if (!handler) throw new Error(`no handler for jobs of the kind ${job.kind}`)
    const runAt = await handler.run(payload, signal)
    if (runAt === undefined) await deleteJob(db, job)
    else await postponeJob(db, job, { runAt, attempts: 0, lastError: null })
  } catch (error) {
    log.warn({ err: error, job: job.id, kind: job.kind, attempt: job.attempts }, 'a job failed')
    if (hasNoSpace(error)) {
      await postponeJob(db, job, { ...toNextAttempt(job, error), runAt: Date.now() + fullDiskMs, attempts: 0 })
      return
    }
    const isLast = job.attempts >= attemptLimit && handler?.isRecurring !== true
    await handler?.fail?.(payload, error, isLast)
    if (isLast) await deleteJob(db, job)
    else await postponeJob(db, job, toNextAttempt(job, error))
  }
}

function toNextAttempt({ attempts }: ClaimedJob, error: unknown) {
  const delay = firstDelayMs * delayFactor ** Math.min(attempts - 1, attemptLimit - 2)
  return { runAt: Date.now() + delay, attempts, lastError: error instanceof Error ? error.message : String(error) }
}

/** The failure may be the cause of an error that was made for a client. */
function hasNoSpace(error: unknown): boolean {
  return isOutOfSpace(error) || (error instanceof Error && error.cause !== undefined && hasNoSpace(error.cause))
}
