/** Reads uploaded symbols in a worker with limits on time and memory, so that whatever they hold the caller goes on. */
import { Worker } from 'node:worker_threads'
import { SymbolsError, type SymbolsErrorCode } from './symbols-error.ts'
import type { SymbolsIndex } from './symbols-index.ts'

export interface IndexSymbolsOptions {
  /** Milliseconds. Default 15 minutes. */
  timeout?: number
  /** Megabytes of JavaScript heap. Default 512; buffers come on top of it, and have limits of their own. */
  maxHeapMegabytes?: number
  /** Ends the work early; the promise then rejects with the signal's reason. */
  signal?: AbortSignal
}

/** Of short-lived objects: more room means fewer collections while millions of entries are read. */
const youngMegabytes = 64

/** What the worker answers. */
export type IndexAnswer = { index: SymbolsIndex } | { error: { code: SymbolsErrorCode; detail: string } }

/**
 * Reads the symbols at `path` and writes what lookups need into `outDir`, an existing folder that belongs to this upload alone: one lookup
 * file per image, or the index of a mapping. The original is not needed for lookups, only to build them again when the format moves.
 * Rejects with SymbolsError; what is then in `outDir` is of no use.
 */
export async function indexSymbols(
  path: string,
  outDir: string,
  options: IndexSymbolsOptions = {},
): Promise<SymbolsIndex> {
  const { timeout = 15 * 60_000, maxHeapMegabytes = 512, signal } = options
  signal?.throwIfAborted()
  const worker = new Worker(new URL('index-worker.ts', import.meta.url), {
    workerData: { path, outDir },
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes, maxYoungGenerationSizeMb: youngMegabytes },
  })
  const { promise, resolve, reject } = Promise.withResolvers<SymbolsIndex>()
  const timer = setTimeout(() => reject(new SymbolsError('timeout', `The limit is ${timeout} ms.`)), timeout)
  const abort = () => reject(signal?.reason)
  signal?.addEventListener('abort', abort)
  worker.once('message', (answer: IndexAnswer) => {
    if ('index' in answer) resolve(answer.index)
    else reject(new SymbolsError(answer.error.code, answer.error.detail))
  })
  worker.once('error', (cause) => reject(toSymbolsError(cause)))
  worker.once('exit', (code) => reject(new SymbolsError('crashed', `The worker ended with code ${code}.`)))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    await worker.terminate()
  }
}

function toSymbolsError(cause: unknown): SymbolsError {
  const isMemory = cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return new SymbolsError(isMemory ? 'out-of-memory' : 'crashed', cause instanceof Error ? cause.message : '', {
    cause,
  })
}
