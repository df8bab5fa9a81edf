import type { AppIcon, AppInfo } from '../app-info.ts'
import { BinaryError, type BinaryErrorCode } from '../binary-error.ts'
import type { ReadAppOptions } from '../read-app-options.ts'
import type { AppImage } from '../images/read-images.ts'
import type { IconImage } from '../read-icon.ts'
import type { ReaderAnswer, ReaderRequest } from './messages.ts'
import { type QueueLimits, TurnQueue } from './turn-queue.ts'
import { WorkerError, type WorkerFailure, type WorkerLimits, WorkerProcess } from './worker-process.ts'

/** The error code for each way in which a process can end without an answer. */
const codes = {
  timeout: 'timeout',
  'out-of-memory': 'out-of-memory',
  crashed: 'crashed',
  exited: 'crashed',
} as const satisfies Record<WorkerFailure, BinaryErrorCode>

export interface AppReaderOptions extends Partial<WorkerLimits>, Partial<QueueLimits> {
  /** Number of files read at the same time; further files wait. Default 1. */
  workers?: number
}

export interface TurnOptions {
  timeoutMs?: number
  /** Callers with the same key share their turns; a server passes the workspace's id. */
  turnKey?: string
  /** When it is aborted, a waiting file is dropped and a running one is cancelled, with the signal's reason. */
  signal?: AbortSignal | undefined
}

/**
 * `readApp`, `readIcon` and `readImages` in worker processes, so that no file can block, exhaust or crash the process.
 */
export interface AppReader extends AsyncDisposable {
  readApp(path: string, options?: ReadAppOptions & TurnOptions): Promise<AppInfo>
  readIcon(path: string, icon: AppIcon, options?: TurnOptions): Promise<IconImage | null>
  readImages(path: string, options?: TurnOptions): Promise<AppImage[]>
}

/**
 * Starts worker processes when they are needed and keeps them warm; they do not keep the process alive. A file is
 * aborted and its process replaced if it takes longer than `timeoutMs` (default 10,000, counted from its turn) or more
 * than `maxMemoryMb` of JavaScript heap (default 128). Its promise then rejects with BinaryError `timeout`,
 * `out-of-memory` or `crashed`. At most `maxQueued` files wait (default 256; 64 of one key); more are refused with
 * QueueFullError.
 */
export function createAppReader(options: AppReaderOptions = {}): AppReader {
  const { timeoutMs = 10_000, maxMemoryMb = 128, workers: count = 1 } = options
  const entry = new URL('./reader-worker.ts', import.meta.url)
  const workers = Array.from({ length: count }, () => {
    return new WorkerProcess<ReaderRequest, ReaderAnswer>(entry, { timeoutMs, maxMemoryMb })
  })
  const { maxQueued = 256, maxQueuedPerKey = 64 } = options
  const queue = new TurnQueue(workers, { ...options, maxQueued, maxQueuedPerKey })

  async function ask(request: ReaderRequest, turn: TurnOptions): Promise<ReaderAnswer> {
    const { timeoutMs, turnKey = '', signal } = turn
    const worker = await queue.take({ key: turnKey, signal })
    try {
      return await worker.ask(request, { ...(timeoutMs !== undefined && { timeoutMs }), signal })
    } catch (error) {
      if (!(error instanceof WorkerError)) throw error
      throw new BinaryError(codes[error.code], error.message, { cause: error })
    } finally {
      queue.release(worker)
    }
  }

  return {
    async readApp(path, { verify = false, ...turn } = {}) {
      return requireValue(await ask({ verb: 'readApp', path, options: { verify } }, turn)) as AppInfo
    },
    async readIcon(path, icon, turn = {}) {
      const image = requireValue(await ask({ verb: 'readIcon', path, icon }, turn)) as IconImage | null
      return image && { ...image, bytes: Buffer.from(image.bytes) }
    },
    async readImages(path, turn = {}) {
      return requireValue(await ask({ verb: 'readImages', path }, turn)) as AppImage[]
    },
    async [Symbol.asyncDispose]() {
      queue.refuseAll(new BinaryError('crashed', 'The reader was closed.'))
      await Promise.all(workers.map((worker) => worker[Symbol.asyncDispose]()))
    },
  }
}

function requireValue(answer: ReaderAnswer): AppInfo | AppImage[] | IconImage | null {
  if ('value' in answer) return answer.value
  const { code, detail, app } = answer
  throw new BinaryError(code, detail, app ? { app } : {})
}
