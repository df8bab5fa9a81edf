import { Worker } from 'node:worker_threads'
import type { ReportSummary } from '../report.ts'
import { ReportsError } from '../reports-error.ts'
import type { ReaderAnswer, ReaderRequest } from './messages.ts'

/** The thread id of a worker that has ended. */
const ended = -1

export interface ThreadLimits {
  timeoutMs: number
  maxMemoryMb: number
}

/** A worker thread that is replaced after a time-out, an abort, a crash or too much memory. */
export class ReaderThread implements AsyncDisposable {
  readonly #limits: ThreadLimits
  #worker: Worker
  #child = 0

  constructor(limits: ThreadLimits) {
    this.#limits = limits
    this.#worker = startWorker(limits)
  }

  /**
   * Sends a request; there is one at a time. Rejects with ReportsError `timeout`, `aborted`, `out-of-memory` or
   * `crashed` if there is no answer, and only once nothing writes to the folder of the request any more.
   */
  async ask(request: ReaderRequest, timeoutMs = this.#limits.timeoutMs, signal?: AbortSignal): Promise<ReportSummary> {
    if (signal?.aborted) throw new ReportsError('aborted')
    if (this.#worker.threadId === ended) this.#worker = startWorker(this.#limits)
    const worker = this.#worker
    const { promise, resolve, reject } = Promise.withResolvers<ReportSummary>()
    const onMessage = (answer: ReaderAnswer) => {
      if ('child' in answer) this.#child = answer.child
      else if ('summary' in answer) resolve(answer.summary)
      else reject(new ReportsError(answer.code, answer.detail, answer))
    }
    const timer = setTimeout(() => reject(new ReportsError('timeout', `It has taken ${timeoutMs} ms.`)), timeoutMs)
    const onError = (cause: Error) => reject(toReportsError(cause))
    const onExit = () => reject(new ReportsError('crashed'))
    const onAbort = () => reject(new ReportsError('aborted'))
    worker.on('message', onMessage).once('error', onError).once('exit', onExit)
    signal?.addEventListener('abort', onAbort)
    worker.ref()
    worker.postMessage(request, [])
    try {
      return await promise
    } catch (error) {
      if (isOfThread(error)) await this.#replace(worker)
      throw error
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      worker.off('message', onMessage).off('exit', onExit).off('error', onError)
      worker.unref()
    }
  }

  async #replace(worker: Worker): Promise<void> {
    this.#endChild()
    await worker.terminate()
  }

  /** Ends the child process of a thread that was terminated, because it would live on. */
  #endChild(): void {
    const child = this.#child
    this.#child = 0
    if (child === 0) return
    try {
      process.kill(child, 'SIGKILL')
    } catch {
      // The process has already ended.
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#endChild()
    await this.#worker.terminate()
  }
}

function isOfThread(error: unknown): boolean {
  return error instanceof ReportsError && ['timeout', 'aborted', 'out-of-memory', 'crashed'].includes(error.code)
}

function startWorker({ maxMemoryMb }: ThreadLimits): Worker {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
  })
  worker.unref()
  // The request is rejected with this error as well. Without a listener, an error between requests would end the
  // process.
  return worker.on('error', () => {})
}

function toReportsError(cause: Error): ReportsError {
  const isMemory = (cause as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
  return new ReportsError(isMemory ? 'out-of-memory' : 'crashed', cause.message, {}, { cause })
}
