import { indexSymbols, type SymbolsIndex } from '@fairlead/symbols'
import { TurnQueue } from '@fairlead/workers'
import type { StagedFile } from '../blobs/blob-store.ts'
import { refuseWhenFull } from '../http/queue-full.ts'

/**
 * Indexing a large dSYM occupies a CPU core and hundreds of megabytes, so two files are indexed at a time, at most one
 * of them for each workspace.
 */
const slots = [1, 2]
const limits = { maxQueued: 64, maxQueuedPerKey: 16, maxRunningPerKey: 1 }

/** The processor time that indexing any upload may take, in milliseconds, and the time added for each mebibyte. */
const usualMs = 60_000
const msPerMebibyte = 2000
const maxMs = 15 * 60_000
/** A busy machine may take that many times as long by the clock. */
const clockFactor = 4

/** Builds the lookup files of uploads, which all ways to upload symbols share. */
export interface SymbolsIndexer {
  /**
   * Waits for a turn, then indexes the file. Ends early when the signal is aborted.
   *
   * @throws {ApiError} tooManyRequests, overloaded when too many files wait
   */
  index(
    file: Pick<StagedFile, 'path' | 'size'>,
    folder: string,
    caller: { workspaceId: number; signal: AbortSignal },
  ): Promise<SymbolsIndex>
}

export function createSymbolsIndexer(): SymbolsIndexer {
  const queue = new TurnQueue(slots, limits)
  return {
    async index({ path, size }, folder, { workspaceId, signal }) {
      using _place = await queue.take({ key: String(workspaceId), signal }).catch(refuseWhenFull)
      const processorMs = Math.min(usualMs + (size / 2 ** 20) * msPerMebibyte, maxMs)
      return await indexSymbols(path, folder, { signal, processorMs, timeoutMs: clockFactor * processorMs })
    },
  }
}
