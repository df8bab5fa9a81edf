import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Engine } from '../db/engine.ts'
import type { Db } from '../db/open.ts'
import type { JobHandler, JobHandlers, JobKind } from './job.ts'
import { type ClaimedJob, claimJob, deleteJob, extendClaim, findNextRun, postponeJob } from './store.ts'
import type { WakeUp } from './wake-up.ts'

const concurrency = 4
/** A process that dies leaves its jobs to others after this time; one that lives extends it. */
const leaseMs = 2 * 60_000
/** How late a job is found at the most that another replica wrote down and then died. */
const pollMs = 10_000
/** 1 s, 5 s, 25 s, 2 min, 10 min, 52 min, 4 h, 22 h: a mail server that is down for a day loses nothing. */
const attemptLimit = 9
const firstDelayMs = 1000
const delayFactor = 5

/** The part of the application's context that the worker needs. */
interface WorkerContext {
  db: Db
  config: Pick<Config, 'databaseUrl'>
  log: Logger
  jobs: WakeUp
}

export interface Worker {
  /** Takes no more jobs, and resolves when those under way have ended. */
  stop(): Promise<void>
}

/** Does the jobs of the table, several at a time, until it is stopped. Any number of processes may do so. */
export function startWorker(context: WorkerContext, handlers: JobHandlers): Worker {
  const { db, config, log, jobs } = context
  const engine: Engine = config.databaseUrl === null ? 'sqlite' : 'postgres'
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()

  const loop = async () => {
    while (!stopping.signal.aborted) {
      if (running.size >= concurrency) {
        await Promise.race(running)
        continue
      }
      const seen = jobs.calls
      try {
        const job = await claimJob(db, engine, Date.now(), leaseMs)
        if (job) {
          const run = runJob(context, handlers, job, stopping.signal).finally(() => {
            running.delete(run)
            // It may have been put off to a time that comes before the end of the sleep.
            jobs.wake()
          })
          running.add(run)
        } else {
          await jobs.sleep(seen, await timeToNextRun(db))
        }
      } catch (error) {
        log.error({ err: error }, 'the job table does not answer')
        await jobs.sleep(seen, pollMs)
      }
    }
    await Promise.all(running)
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

async function timeToNextRun(db: Db): Promise<number> {
  const next = await findNextRun(db)
  return next === undefined ? pollMs : Math.min(Math.max(next - Date.now(), 20), pollMs)
}

/** Never rejects: what goes wrong stands in the row of the job, or at least in the log. */
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
    await attemptJob(context, handlers[job.kind as JobKind], job, signal)
  } catch (error) {
    log.error({ err: error, job: job.id }, 'the outcome of a job could not be written down')
  } finally {
    clearInterval(heartbeat)
  }
}

async function attemptJob(
  { db, log }: Pick<WorkerContext, 'db' | 'log'>,
  handler: JobHandler<JobKind> | undefined,
  job: ClaimedJob,
  signal: AbortSignal,
): Promise<void> {
  // The payload was written for a job of this kind, by `enqueueJobs`.
  const payload = JSON.parse(job.payload) as never
  try {
    if (!handler) throw new Error(`no handler for jobs of the kind ${job.kind}`)
    const runAt = await handler.run(payload, signal)
    if (runAt === undefined) await deleteJob(db, job)
    else await postponeJob(db, job, { runAt, attempts: 0, lastError: null })
  } catch (error) {
    log.warn({ err: error, job: job.id, kind: job.kind, attempt: job.attempts }, 'a job failed')
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
