import { type WorkerLimits, WorkerProcess } from '@fairlead/binary/worker-process'
import type { SymbolsIndex } from './symbols-index.ts'
import { SymbolsError, type SymbolsErrorCode } from './symbols-error.ts'
import { askWorker } from './worker/ask-worker.ts'

/** By default an upload may take 15 minutes, and its process may hold 512 MB of objects. */
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
  { timeoutMs = 15 * 60_000, maxMemoryMb = 512, signal }: IndexSymbolsOptions = {},
): Promise<SymbolsIndex> {
  const entry = new URL('index-worker.ts', import.meta.url)
  const limits = { timeoutMs, maxMemoryMb, youngGenerationMb }
  await using worker = new WorkerProcess<IndexRequest, IndexAnswer>(entry, limits)
  const answer = await askWorker(worker, { path, outDir }, { signal })
  if ('index' in answer) return answer.index
  throw new SymbolsError(answer.error.code, answer.error.detail)
}
