import { createPool, type WorkerLimits } from '@fairlead/workers'
import type { SymbolsIndex } from './symbols-index.ts'
import { SymbolsError, type SymbolsErrorCode } from './symbols-error.ts'
import { toSymbolsError } from './worker/to-symbols-error.ts'

/** By default an upload may take 15 minutes of processor time and an hour, and its process 512 MB of objects. */
export interface IndexSymbolsOptions extends Partial<WorkerLimits> {
  /** Ends the work early; the promise then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

/** Megabytes for short-lived objects: with more room, fewer collections run while millions of entries are read. */
const youngGenerationMb = 64

export interface IndexRequest {
  path: string
  outDir: string
}

export type IndexAnswer = { index: SymbolsIndex } | { error: { code: SymbolsErrorCode; detail: string } }

/**
 * Reads the symbols at `path` in a process of its own and writes the files that lookups need into `outDir`, an existing
 * folder that belongs to this upload alone: one lookup file for each image, or the index of a mapping. Lookups do not
 * need the original, but building the files again does, when their format changes. Rejects with SymbolsError; the
 * content of `outDir` is then of no use.
 */
export async function indexSymbols(
  path: string,
  outDir: string,
  { processorMs = 15 * 60_000, timeoutMs = 60 * 60_000, maxMemoryMb = 512, signal }: IndexSymbolsOptions = {},
): Promise<SymbolsIndex> {
  await using pool = createPool<IndexRequest, IndexAnswer>(new URL('index-worker.ts', import.meta.url), {
    processorMs,
    timeoutMs,
    maxMemoryMb,
    youngGenerationMb,
    // The pool is for this request alone, so that all memory is free after it.
    maxQueued: 0,
    maxQueuedPerKey: 0,
    toError: toSymbolsError,
  })
  const answer = await pool.ask({ path, outDir }, { signal })
  if ('index' in answer) return answer.index
  throw new SymbolsError(answer.error.code, answer.error.detail)
}
