import { Worker } from 'node:worker_threads'
import { BinaryError } from '../binary-error.ts'
import type { ReaderAnswer, ReaderRequest } from './messages.ts'

/** `worker.threadId` of a worker that has ended. */
const ended = -1

export interface ThreadLimits {
  timeoutMs: number
  maxMemoryMb: number
}

/** One worker thread, started in advance. It is replaced after a timeout, a crash or running out of memory. */
export class ReaderThread implements AsyncDisposable {
  readonly #limits: ThreadLimits
  #worker: Worker
  #isDisposed = false

  constructor(limits: ThreadLimits) {
    this.#limits = limits
    this.#worker = startWorker(limits)
  }

  /**
   * Sends a request and waits for the answer. Only one request may run at a time.
   *
   * @throws BinaryError `timeout`, `out-of-memory` or `crashed` if there is no answer.
   */
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
    const timer = setTimeout(() => fail(new BinaryError('timeout', `It exceeded ${timeoutMs} ms.`)), timeoutMs)
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
  // `ask` reports an error that occurs during a request. Without this listener, an error at any other time would end
  // the process.
  return worker.on('error', () => {})
}

function toBinaryError(cause: Error): BinaryError {
  const code = (cause as NodeJS.ErrnoException).code
  return new BinaryError(code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out-of-memory' : 'crashed', cause.message, { cause })
}
