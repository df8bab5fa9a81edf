import { createPool, type Pool, type PoolTurn, type QueueLimits, WorkerError } from '@fairlead/workers'
import { CrashesError } from '../crashes-error.ts'
import type {
  CrashReaderAnswer,
  CrashReaderRequest,
  Delivery,
  DeliverySummary,
  ErrorMessage,
  PackedStack,
  PreparedDelivery,
  ReadSettings,
  StackToResolve,
} from './messages.ts'
import type { FrameOwner } from '../stack/resolve-stack.ts'

export interface CrashReaderOptions {
  /**
   * Milliseconds of processor time that one request may take. Default 10,000; acknowledged deliveries get further,
   * longer attempts.
   */
  processorMs?: number
  /** Milliseconds by the clock, which a busy machine may need. Default 120,000, longer for further attempts as well. */
  timeoutMs?: number
  /** Megabytes of objects that a process may hold. Default 256. */
  maxMemoryMb?: number
}

/** Reads deliveries and stacks in worker processes, so that none can block, exhaust or crash the server's process. */
export interface CrashReader extends AsyncDisposable {
  /** Starts the processes, so that the first delivery does not wait for their start. */
  warmUp(): void
  /**
   * Reads a delivery and returns a summary for its sender. Callers with the same `turnKey` share their turns.
   *
   * @throws {CrashesError} for a body that cannot be read, `too-costly` when its process was stopped
   * @throws {QueueFullError} when too many wait
   */
  check(delivery: Delivery, turnKey: string): Promise<DeliverySummary>
  /**
   * Reads and scrubs deliveries. One that cannot be read becomes an error in its place. Deliveries are acknowledged and
   * must not be lost, so if the process runs out of time or ends, which may be due to a busy machine, they are read one
   * by one, with further attempts that have more time.
   */
  read(deliveries: readonly Delivery[], settings: ReadSettings): Promise<(PreparedDelivery | CrashesError)[]>
  /**
   * Resolves stacks with the symbols at these paths. A single stack gets further attempts with more time.
   *
   * @throws {CrashesError} too-costly
   */
  resolve(stacks: StackToResolve[], owner: FrameOwner): Promise<PackedStack[]>
}

type CrashPool = Pool<CrashReaderRequest, CrashReaderAnswer>

const megabyte = 2 ** 20
/** A small one, because a process keeps the memory that a large delivery has made it use. */
const youngGenerationMb = 12
/** Limits of waiting deliveries whose senders wait for an answer, by number and by bytes of their bodies. */
const intakeLimits = {
  maxQueued: 256,
  maxQueuedPerKey: 64,
  maxQueuedSize: 64 * megabyte,
  maxQueuedSizePerKey: 32 * megabyte,
}
/** The limits for jobs are high, because jobs bound their own work. */
const jobLimits = {
  maxQueued: 1000,
  maxQueuedPerKey: 1000,
  maxQueuedSize: 1000 * megabyte,
  maxQueuedSizePerKey: 1000 * megabyte,
}

/** Creates a reader with two processes: one for requests, whose senders wait, and one for jobs. */
export function createCrashReader(options: CrashReaderOptions = {}): CrashReader {
  const { processorMs = 10_000, timeoutMs = 120_000, maxMemoryMb = 256 } = options
  const entry = new URL('./crash-worker.ts', import.meta.url)
  const openPool = (limits: QueueLimits): CrashPool => {
    return createPool(entry, { processorMs, timeoutMs, maxMemoryMb, youngGenerationMb, ...limits, toError })
  }
  const intake = openPool(intakeLimits)
  const jobs = openPool(jobLimits)
  const patient = [1, 2, 4].map((factor) => ({ processorMs: factor * processorMs, timeoutMs: factor * timeoutMs }))

  return {
    warmUp() {
      intake.start()
      jobs.start()
    },
    async check(delivery, turnKey) {
      const answer = await ask(intake, { verb: 'check', delivery }, { turnKey, size: delivery.body.length })
      if (!('summary' in answer)) throw new Error('The process gave an unexpected answer.')
      return answer.summary
    },
    async read(deliveries, settings) {
      const turn = { turnKey: 'read' }
      const read: (PreparedDelivery | CrashesError)[] = []
      let count = deliveries.length
      while (read.length < deliveries.length) {
        const next = deliveries.slice(read.length, read.length + count)
        try {
          const request = { verb: 'read' as const, deliveries: next, settings }
          const answer = await ask(jobs, request, turn, next.length === 1 ? patient : undefined)
          if (!('deliveries' in answer)) throw new Error('The process gave an unexpected answer.')
          read.push(...answer.deliveries.map((one) => ('error' in one ? toCrashesError(one) : one)))
        } catch (error) {
          if (!(error instanceof CrashesError)) throw error
          if (next.length === 1) read.push(error)
          count = 1
        }
      }
      return read
    },
    async resolve(stacks, owner) {
      const turn = { turnKey: 'resolve' }
      const attempts = stacks.length === 1 ? patient : undefined
      const answer = await ask(jobs, { verb: 'resolve', stacks, owner }, turn, attempts)
      if (!('stacks' in answer)) throw new Error('The process gave an unexpected answer.')
      return answer.stacks
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([intake[Symbol.asyncDispose](), jobs[Symbol.asyncDispose]()])
    },
  }
}

function toCrashesError({ error }: ErrorMessage): CrashesError {
  return new CrashesError(error.code, error.detail)
}

/** A closed reader says nothing about a delivery, so its error is none that is stored beside the delivery. */
function toError(error: WorkerError): Error {
  return error.code === 'closed' ? error : new CrashesError('too-costly', error.message, { cause: error })
}

async function ask(
  pool: CrashPool,
  request: CrashReaderRequest,
  turn: PoolTurn,
  [limits, ...further]: readonly Pick<PoolTurn, 'processorMs' | 'timeoutMs'>[] = [{}],
): Promise<Exclude<CrashReaderAnswer, ErrorMessage>> {
  try {
    const answer = await pool.ask(request, { ...turn, ...limits })
    if ('error' in answer) throw toCrashesError(answer)
    return answer
  } catch (error) {
    if (!(error instanceof CrashesError) || !(error.cause instanceof WorkerError)) throw error
    pool.start()
    // Another attempt would run out of memory again.
    if (further.length === 0 || error.cause.code === 'out-of-memory') throw error
  }
  return ask(pool, request, turn, further)
}
