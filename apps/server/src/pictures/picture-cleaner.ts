import { ApiError } from '@fairlead/contract'
import { createPool, type TurnOptions } from '@fairlead/workers'
import type { CleanPicture } from './picture.ts'

export interface PictureRequest {
  /** The file of a stranger. */
  from: string
  /** Where the clean picture is written; no file is there yet. */
  to: string
}

/** The facts of the clean picture, or why the file is none. */
export type PictureAnswer = Omit<CleanPicture, 'pieces'> | { fault: string }

/** Cleans pictures of strangers in a process, because nothing of them can be trusted. */
export interface PictureCleaner extends AsyncDisposable {
  /**
   * Waits for a turn, then writes a clean copy of a picture.
   *
   * @throws {ApiError} unreadableFeedback when it takes too much time or memory
   * @throws {QueueFullError} when too many wait
   */
  clean(request: PictureRequest, options?: TurnOptions): Promise<PictureAnswer>
}

/** Starts its process when it is needed. */
export function createPictureCleaner(): PictureCleaner {
  const pool = createPool<PictureRequest, PictureAnswer>(new URL('./picture-worker.ts', import.meta.url), {
    processorMs: 10_000,
    // By the clock as well, for a process that waits; long enough for a busy machine.
    timeoutMs: 120_000,
    maxMemoryMb: 128,
    maxQueued: 60,
    maxQueuedPerKey: 20,
    toError: (cause) =>
      cause.code === 'closed'
        ? new ApiError('shuttingDown', { cause })
        : new ApiError('unreadableFeedback', { detail: 'A picture took too much time or memory to read', cause }),
  })
  return {
    clean: (request, turn) => pool.ask(request, turn),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}
