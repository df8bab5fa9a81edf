import { TurnQueue } from '@fairlead/binary'
import { WorkerError, WorkerProcess } from '@fairlead/binary/worker-process'
import { CrashesError } from '../crashes-error.ts'
import type { FrameRule } from '../grouping/frame-rules.ts'
import type {
  CrashReaderAnswer,
  CrashReaderRequest,
  Delivery,
  DeliverySummary,
  PackedStack,
  PreparedDelivery,
  StackToResolve,
} from './messages.ts'

export interface CrashReaderOptions {
  /** Milliseconds that one request may take. Default 10,000; acknowledged deliveries get further, longer attempts. */
  timeoutMs?: number
  /** Megabytes of objects that a process may hold. Default 256. */
  maxMemoryMb?: number
}

/** Reads deliveries and stacks in worker processes, so that none can block, exhaust or crash the server's process. */
export interface CrashReader extends AsyncDisposable {
  /**
   * Reads a delivery and returns a summary for its sender. Callers with the same `turnKey` share their turns.
   *
   * @throws {CrashesError} for a body that cannot be read, `too-costly` when its process was stopped
   * @throws {QueueFullError} when too many wait
   */
  check(delivery: Delivery, turnKey: string): Promise<DeliverySummary>
  /**
   * Reads and scrubs a delivery. It is acknowledged and must not be lost, so if the process runs out of time or ends,
   * which may be due to a busy machine, there are further attempts with more time.
   *
   * @throws {CrashesError}
   */
  read(delivery: Delivery, installSecret: Uint8Array): Promise<PreparedDelivery>
  /**
   * Resolves stacks with the symbols at these paths. A single stack gets further attempts with more time.
   *
   * @throws {CrashesError} too-costly
   */
  resolve(stacks: StackToResolve[], rules: readonly FrameRule[]): Promise<PackedStack[]>
}

type Reader = WorkerProcess<CrashReaderRequest, CrashReaderAnswer>

const megabyte = 2 ** 20
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
export function createCrashReader({ timeoutMs = 10_000, maxMemoryMb = 256 }: CrashReaderOptions = {}): CrashReader {
  const entry = new URL('./crash-worker.ts', import.meta.url)
  const createProcess = (): Reader => new WorkerProcess(entry, { timeoutMs, maxMemoryMb })
  const processes = { intake: createProcess(), jobs: createProcess() }
  const intake = new TurnQueue([processes.intake], intakeLimits)
  const jobs = new TurnQueue([processes.jobs], jobLimits)
  const patient = [timeoutMs, 2 * timeoutMs, 4 * timeoutMs]

  return {
    async check(delivery, turnKey) {
      const answer = await ask(intake, { verb: 'check', delivery }, { key: turnKey, size: delivery.body.length })
      if (!('summary' in answer)) throw new Error('The process gave an unexpected answer.')
      return answer.summary
    },
    async read(delivery, installSecret) {
      const answer = await ask(jobs, { verb: 'read', delivery, installSecret }, { key: 'read', size: 0 }, patient)
      if (!('delivery' in answer)) throw new Error('The process gave an unexpected answer.')
      return answer.delivery
    },
    async resolve(stacks, rules) {
      const turn = { key: 'resolve', size: 0 }
      const timeouts = stacks.length === 1 ? patient : undefined
      const answer = await ask(jobs, { verb: 'resolve', stacks, rules }, turn, timeouts)
      if (!('stacks' in answer)) throw new Error('The process gave an unexpected answer.')
      return answer.stacks
    },
    async [Symbol.asyncDispose]() {
      const closed = new Error('The crash reader was closed.')
      intake.refuseAll(closed)
      jobs.refuseAll(closed)
      await Promise.all([processes.intake[Symbol.asyncDispose](), processes.jobs[Symbol.asyncDispose]()])
    },
  }
}

async function ask(
  queue: TurnQueue<Reader>,
  request: CrashReaderRequest,
  turn: { key: string; size: number },
  [timeoutMs, ...further]: readonly (number | undefined)[] = [undefined],
): Promise<Exclude<CrashReaderAnswer, { error: unknown }>> {
  const reader = await queue.take(turn)
  try {
    const answer = await reader.ask(request, { timeoutMs })
    if ('error' in answer) throw new CrashesError(answer.error.code, answer.error.detail)
    return answer
  } catch (error) {
    if (!(error instanceof WorkerError)) throw error
    // Another attempt would run out of memory again.
    if (further.length === 0 || error.code === 'out-of-memory') {
      throw new CrashesError('too-costly', error.message, { cause: error })
    }
  } finally {
    queue.release(reader)
  }
  return ask(queue, request, turn, further)
}
