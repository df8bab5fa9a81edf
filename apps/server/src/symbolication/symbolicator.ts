import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type SymbolicatedReport, SymbolsError } from '@fairlead/symbols'
import type { SymbolicateAnswer, SymbolicateRequest } from './messages.ts'

const timeoutMs = 20_000
const maxHeapMegabytes = 512

/** Symbolicates in a thread of its own, one report at a time: none can hold up the server or end it. */
export class Symbolicator implements AsyncDisposable {
  #worker: Worker | undefined
  #last: Promise<unknown> = Promise.resolve()

  /** Rejects with SymbolsError. */
  symbolicate(request: SymbolicateRequest): Promise<SymbolicatedReport> {
    const mine = this.#last.then(() => this.#ask(request))
    this.#last = mine.catch(() => {})
    return mine
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.terminate()
  }

  async #ask(request: SymbolicateRequest): Promise<SymbolicatedReport> {
    // Kept warm between reports; it does not keep the process alive.
    const worker = (this.#worker ??= startWorker())
    worker.postMessage(request)
    try {
      const [answer] = (await once(worker, 'message', { signal: AbortSignal.timeout(timeoutMs) })) as [
        SymbolicateAnswer,
      ]
      if ('report' in answer) return answer.report
      throw new SymbolsError(answer.error.code, answer.error.detail)
    } catch (error) {
      if (error instanceof SymbolsError) throw error
      this.#worker = undefined
      await worker.terminate()
      const isSlow = error instanceof Error && error.name === 'AbortError'
      throw new SymbolsError(isSlow ? 'timeout' : 'crashed', '', { cause: error })
    }
  }
}

function startWorker(): Worker {
  const worker = new Worker(new URL('thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
  })
  worker.unref()
  // Between reports nobody listens, and an error without a listener would end the process.
  worker.on('error', () => {})
  return worker
}
