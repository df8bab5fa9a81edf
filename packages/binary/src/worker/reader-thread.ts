import { Worker } from 'node:worker_threads'
import { BinaryError } from '../binary-error.ts'
import type { ReaderAnswer, ReaderRequest } from './messages.ts'

/** The thread id of a worker that is no more. */
const ended = -1

export interface ThreadLimits {
  timeoutMs: number
  maxMemoryMb: number
}

/** One thread, warm from the start, that never outlives a fault: after a time-out, a crash or too much memory it is replaced. */
export class ReaderThread implements AsyncDisposable {
  readonly #limits: ThreadLimits
  #worker: Worker
  #isDisposed = false

  constructor(limits: ThreadLimits) {
    this.#limits = limits
    this.#worker = startWorker(limits)
  }

  /** One request at a time. Rejects with BinaryError `timeout`, `out-of-memory` or `crashed` where there is no answer. */
  ask(request: ReaderRequest, timeoutMs = this.#limits.timeoutMs): Promise<ReaderAnswer> {
    if (this.#worker.threadId === ended) this.#worker = startWorker(this.#limits)
    const worker = this.#worker
    const { promise, resolve, reject } = Promise.withResolvers<ReaderAnswer>()
    const fail = (error: BinaryError) => {
      reject(error)
      if (worker !== this.#worker || this.#isDisposed) return
      this.#worker = startWorker(this.#limits)
      void worker.terminate()
    }
    const timer = setTimeout(() => fail(new BinaryError('timeout', `It has taken ${timeoutMs} ms.`)), timeoutMs)
    const onError = (cause: Error) => fail(toBinaryError(cause))
    const onExit = () => fail(new BinaryError('crashed'))
    worker.once('message', resolve).once('error', onError).once('exit', onExit)
    worker.ref()
    worker.postMessage(request, [])
    return promise.finally(() => {
      clearTimeout(timer)
      worker.off('message', resolve).off('exit', onExit).off('error', onError)
      worker.unref()
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
    await this.#worker.terminate()
  }
}

function startWorker({ maxMemoryMb }: ThreadLimits): Worker {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
  })
  worker.unref()
  // Whoever asks hears of an error as well; without a listener of its own, one that comes later would end the process.
  return worker.on('error', () => {})
}

function toBinaryError(cause: Error): BinaryError {
  const code = (cause as NodeJS.ErrnoException).code
  return new BinaryError(code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out-of-memory' : 'crashed', cause.message, { cause })
}
