import { ApiError } from '@fairlead/contract'
import { createPool, type TurnOptions } from '@fairlead/workers'
import type { CommitListAnswer, CommitListRequest } from './commit-list.ts'

/** Reads lists of commits in a process, because megabytes of JSON take long to parse and to check. */
export interface CommitReader extends AsyncDisposable {
  /**
   * Waits for a turn, then reads a list.
   *
   * @throws {ApiError} invalidRequest when it takes too much time or memory
   * @throws {QueueFullError} when too many wait
   */
  read(request: CommitListRequest, options?: TurnOptions): Promise<CommitListAnswer>
}

/** Starts its process when it is needed. */
export function createCommitReader(): CommitReader {
  const pool = createPool<CommitListRequest, CommitListAnswer>(new URL('./commit-list-worker.ts', import.meta.url), {
    processorMs: 10_000,
    // By the clock as well, for a process that waits; long enough for a busy machine.
    timeoutMs: 120_000,
    maxMemoryMb: 256,
    maxQueued: 40,
    maxQueuedPerKey: 10,
    toError: (cause) =>
      cause.code === 'closed'
        ? new ApiError('shuttingDown', { cause })
        : new ApiError('invalidRequest', { detail: 'The commits took too much time or memory to read', cause }),
  })
  return {
    read: (request, turn) => pool.ask(request, turn),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}
