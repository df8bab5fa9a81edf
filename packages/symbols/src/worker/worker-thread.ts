import { Worker } from 'node:worker_threads'
import { SymbolsError } from '../symbols-error.ts'

/** The thread id that Node gives a worker that has ended. */
const endedThreadId = -1

/**
 * Milliseconds to wait for the end of a stopped thread. V8 can need long to interrupt a thread that runs out of memory.
 */
const graceMs = 5_000

export interface ThreadLimits {
  /** Milliseconds that one request may take, from when it was posted to the thread. */
  timeoutMs: number
  /** Megabytes of JavaScript heap (the old generation). Buffers are not counted; the readers limit those themselves. */
  maxMemoryMb: number
}

export interface WorkerThreadOptions extends ThreadLimits {
  /** Megabytes for short-lived objects. A larger young generation means fewer collections. Default: Node's own. */
  youngGenerationMb?: number
}

export interface AskOptions {
  timeoutMs?: number
  /** Ends the work: the thread is stopped, and the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

/**
 * One worker thread that runs `entry` and answers each message with one message. It starts with the first request,
 * stays warm between requests and does not keep the process alive. When a request fails without an answer, the thread
 * is stopped, and the next request starts another one.
 */
export class WorkerThread<Request, Answer> implements AsyncDisposable {
  readonly #entry: URL
  readonly #options: WorkerThreadOptions
  #worker: Worker | undefined

  constructor(entry: URL, options: WorkerThreadOptions) {
    this.#entry = entry
    this.#options = options
  }

  /**
   * Sends one request; the caller waits for its answer before the next. Rejects with SymbolsError `timeout`,
   * `out-of-memory`, `crashed` (the thread threw) or `exited` (the thread ended without an error).
   */
  async ask(request: Request, { timeoutMs = this.#options.timeoutMs, signal }: AskOptions = {}): Promise<Answer> {
    signal?.throwIfAborted()
    const worker = this.#requireWorker()
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const timer = setTimeout(() => reject(new SymbolsError('timeout', `The limit is ${timeoutMs} ms.`)), timeoutMs)
    const onAbort = () => reject(signal?.reason)
    const onError = (cause: unknown) => reject(toSymbolsError(cause))
    const onExit = (code: number) => reject(new SymbolsError('exited', `The thread ended with code ${code}.`))
    signal?.addEventListener('abort', onAbort)
    worker.once('message', resolve).once('error', onError).once('exit', onExit)
    worker.ref()
    worker.postMessage(request, [])
    try {
      return await promise
    } catch (error) {
      await this.#stop(worker)
      throw error
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      worker.off('message', resolve).off('error', onError).off('exit', onExit)
      worker.unref()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#worker) await this.#stop(this.#worker)
  }

  #requireWorker(): Worker {
    if (this.#worker && this.#worker.threadId !== endedThreadId) return this.#worker
    const { maxMemoryMb, youngGenerationMb } = this.#options
    const worker = new Worker(this.#entry, {
      resourceLimits: {
        maxOldGenerationSizeMb: maxMemoryMb,
        ...(youngGenerationMb !== undefined && { maxYoungGenerationSizeMb: youngGenerationMb }),
      },
    })
    // An error between two requests has no other listener, and without one it would end the process.
    worker.on('error', () => {})
    this.#worker = worker
    return worker
  }

  /** Stops a thread, and waits for its end so that its memory is free before the next one starts. */
  async #stop(worker: Worker): Promise<void> {
    if (worker === this.#worker) this.#worker = undefined
    const { promise: isOver, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, graceMs)
    await Promise.race([worker.terminate(), isOver])
    clearTimeout(timer)
  }
}

function toSymbolsError(cause: unknown): SymbolsError {
  const isMemory = cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
  const detail = cause instanceof Error ? cause.message : ''
  return new SymbolsError(isMemory ? 'out-of-memory' : 'crashed', detail, { cause })
}
