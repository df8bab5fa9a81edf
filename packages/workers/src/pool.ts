/**
 * How foreign input is run. Apps, symbols, crashes and test reports come from outside, and none of them may block,
 * exhaust or crash the process that was given them. A package that reads such input writes the reading as a pure
 * function, calls `answerRequests` with it in a module of its own, and creates a pool that runs this module in child
 * processes. Decision 008 says why they are processes and not worker threads.
 *
 * Limits. Each bounds one thing, and the package that creates the pool chooses its value:
 * - Time: `timeoutMs` by the clock, counted from the moment when the request is sent to a process, and `processorMs` of
 *   processor time, which a busy machine does not lengthen. Waiting for a turn does not count.
 * - Memory: `maxMemoryMb` of JavaScript heap for each process. V8 does not count buffers, so the readers check sizes
 *   before they allocate.
 * - Count: `workers` processes, each with one request at a time. At most `maxQueued` requests wait, `maxQueuedPerKey`
 *   of them of one key, with `maxQueuedSize` of input. Any further request is refused at once with QueueFullError.
 * - Output: a process has no standard output, the last 8,192 characters of its error output are kept, and it gives one
 *   answer to each request. The readers limit the size of their answers.
 *
 * Turns. Requests with the same key, such as those of one workspace, wait in one line. The lines take turns, so a key
 * with a hundred requests delays another key by one request.
 *
 * Starts. A process starts with its first request. Once a second key has asked, all processes are started, and those
 * that were killed start anew at once: on a busy machine a start takes seconds, and only the key that had a process
 * killed should wait for it.
 *
 * What happens when something goes wrong:
 * - The process hangs: it is killed at a time limit, and the request fails with `timeout`.
 * - The process crashes, ends or fills its heap: the request fails with `crashed`, `exited` or `out-of-memory`.
 * - The client hangs up, which aborts the signal: a waiting request leaves its line; for a running one, or for a caller
 *   who holds a process between two requests, the process is killed. The promise rejects with the signal's reason.
 * - The pool is closed: running, waiting and later requests fail with `closed`.
 * In each case the place goes back to the pool, and another process takes it. A request is never sent
 * twice; the package decides whether trying again makes sense. `toError` turns each of these failures into the error of
 * the package, with the WorkerError as its cause. QueueFullError and the signal's reason are thrown as they are.
 */
import type { Serializable } from 'node:child_process'
import { type Place, type QueueLimits, TurnQueue } from './turn-queue.ts'
import { WorkerError } from './worker-error.ts'
import { type AskOptions, WorkerProcess, type WorkerProcessOptions } from './worker-process.ts'

export interface PoolOptions extends WorkerProcessOptions, QueueLimits {
  /** Number of requests that run at the same time. Default 1. */
  workers?: number | undefined
  /** Gives the error of the package for a request that got no answer. */
  toError: (error: WorkerError) => Error
}

export interface TurnOptions extends AskOptions {
  /** Callers with the same key share their turns; a server passes the workspace's id. */
  turnKey?: string | undefined
}

export interface PoolTurn extends TurnOptions {
  /** Memory that the request holds while it waits, in the unit of `maxQueuedSize`. Default 0. */
  size?: number | undefined
}

/** A process that takes no requests of others. Disposing of it waits for its request and gives it back to the pool. */
export interface Hold<Request, Answer> extends AsyncDisposable {
  /** Whether the process is still held: until a request fails, the signal is aborted, or it is disposed of. */
  readonly isHeld: boolean
  /** Sends one request to the process that is held. Rejects like `ask` of the pool. */
  ask(request: Request): Promise<Answer>
}

/** Disposing of a pool ends its processes. */
export interface Pool<Request, Answer> extends AsyncDisposable {
  /** Starts the processes that do not run, so that the next requests do not wait for their start. */
  start(): void
  /** How many requests wait for their turn. */
  readonly waiting: number
  /** How many processes are free. */
  readonly idle: number
  /** Waits for a turn and sends one request. Rejects with `toError`, QueueFullError or the signal's reason. */
  ask(request: Request, turn?: PoolTurn): Promise<Answer>
  /** Waits for a turn and holds a process for several requests, which may each take `timeoutMs`. */
  hold(turn?: PoolTurn): Promise<Hold<Request, Answer>>
}

/** Processes that run the module `entry`. They start when they are needed, stay warm, and keep no program alive. */
export function createPool<Request extends Serializable, Answer>(
  entry: URL,
  { workers: count = 1, toError, ...options }: PoolOptions,
): Pool<Request, Answer> {
  type Worker = WorkerProcess<Request, Answer>
  const workers = Array.from({ length: count }, (): Worker => new WorkerProcess(entry, options))
  const queue = new TurnQueue(workers, options)
  let isClosed = false
  let firstKey: string | undefined
  /** Whether several keys have asked, so that the failure of one must not cost another the start of a process. */
  let isShared = false

  const closedError = () => toError(new WorkerError('closed', 'The reader was closed.'))

  async function take({ turnKey: key = '', size, signal }: PoolTurn): Promise<Place<Worker>> {
    if (isClosed) throw closedError()
    share(key)
    const place = await queue.take({ key, size, signal })
    return { slot: place.slot, [Symbol.dispose]: () => giveBack(place) }
  }

  /** Starts the processes of the other places when a second key asks: it may come while the processors are busy. */
  function share(key: string): void {
    firstKey ??= key
    if (isShared || key === firstKey) return
    isShared = true
    for (const worker of workers) worker.start()
  }

  function giveBack(place: Place<Worker>): void {
    place[Symbol.dispose]()
    if (isShared) place.slot.start()
  }

  async function askWorker(worker: Worker, request: Request, options: AskOptions): Promise<Answer> {
    try {
      return await worker.ask(request, options)
    } catch (error) {
      throw error instanceof WorkerError ? toError(error) : error
    }
  }

  return {
    get waiting() {
      return queue.waiting
    },
    get idle() {
      return queue.idle
    },
    start() {
      for (const worker of workers) worker.start()
    },
    async ask(request, turn = {}) {
      using place = await take(turn)
      return await askWorker(place.slot, request, turn)
    },
    async hold(turn = {}) {
      return createHold(await take(turn), askWorker, turn)
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      queue.refuseAll(closedError())
      await Promise.all(workers.map((worker) => worker[Symbol.asyncDispose]()))
    },
  }
}

function createHold<Request extends Serializable, Answer>(
  place: Place<WorkerProcess<Request, Answer>>,
  askWorker: (worker: WorkerProcess<Request, Answer>, request: Request, options: AskOptions) => Promise<Answer>,
  { timeoutMs, processorMs, signal }: PoolTurn,
): Hold<Request, Answer> {
  let isHeld = true
  let running: Promise<Answer> | undefined

  const giveBack = () => {
    isHeld = false
    signal?.removeEventListener('abort', onAbort)
    place[Symbol.dispose]()
  }
  // A request that runs notices the signal by itself. Between two, the process is killed because it keeps the input.
  const onAbort = () => {
    if (running) return
    isHeld = false
    void place.slot.stop().finally(giveBack)
  }
  if (signal?.aborted === true) {
    giveBack()
    throw signal.reason
  }
  signal?.addEventListener('abort', onAbort)

  return {
    get isHeld() {
      return isHeld
    },
    async ask(request) {
      signal?.throwIfAborted()
      if (!isHeld || running) throw new Error('The process was given back, or a request is running in it.')
      running = askWorker(place.slot, request, { timeoutMs, processorMs, signal })
      try {
        return await running
      } catch (error) {
        giveBack()
        throw error
      } finally {
        running = undefined
        // The signal was aborted when the answer was already on its way.
        if (isHeld && signal?.aborted === true) onAbort()
      }
    },
    async [Symbol.asyncDispose]() {
      await running?.catch(() => {})
      if (isHeld) giveBack()
    },
  }
}
