import type { AppIcon, AppInfo } from '../app-info.ts'
import { BinaryError, type BinaryErrorCode } from '../binary-error.ts'
import type { ReadAppOptions } from '../read-app-options.ts'
import type { AppImage } from '../images/read-images.ts'
import type { IconImage } from '../read-icon.ts'
import type { ReaderAnswer, ReaderRequest } from './messages.ts'
import { WorkerError, type WorkerFailure, type WorkerLimits, WorkerProcess } from './worker-process.ts'

type Worker = WorkerProcess<ReaderRequest, ReaderAnswer>

/** The error code for each way in which a process can end without an answer. */
const codes = {
  timeout: 'timeout',
  'out-of-memory': 'out-of-memory',
  crashed: 'crashed',
  exited: 'crashed',
} as const satisfies Record<WorkerFailure, BinaryErrorCode>

export interface AppReaderOptions extends Partial<WorkerLimits> {
  /** Number of files read at the same time; further files wait. Default 1. */
  workers?: number
}

/**
 * `readApp`, `readIcon` and `readImages` in worker processes, so that no file can block, exhaust or crash the process.
 */
export interface AppReader extends AsyncDisposable {
  readApp(path: string, options?: ReadAppOptions & { timeoutMs?: number }): Promise<AppInfo>
  readIcon(path: string, icon: AppIcon, options?: { timeoutMs?: number }): Promise<IconImage | null>
  readImages(path: string, options?: { timeoutMs?: number }): Promise<AppImage[]>
}

/**
 * Starts worker processes and keeps them warm; they do not keep the process alive. A file is aborted and its process
 * replaced if it takes longer than `timeoutMs` (default 10,000, counted from its turn) or more than `maxMemoryMb` of
 * JavaScript heap (default 128). Its promise then rejects with BinaryError `timeout`, `out-of-memory` or `crashed`.
 */
export function createAppReader(options: AppReaderOptions = {}): AppReader {
  const { timeoutMs = 10_000, maxMemoryMb = 128, workers: count = 1 } = options
  const entry = new URL('./reader-worker.ts', import.meta.url)
  const workers = Array.from({ length: count }, () => {
    return new WorkerProcess<ReaderRequest, ReaderAnswer>(entry, { timeoutMs, maxMemoryMb })
  })
  for (const worker of workers) worker.start()
  const idle = [...workers]
  const waiting: ((worker: Worker) => void)[] = []

  async function ask(request: ReaderRequest, timeoutMs?: number): Promise<ReaderAnswer> {
    const worker = idle.pop() ?? (await new Promise<Worker>((resolve) => waiting.push(resolve)))
    try {
      return await worker.ask(request, timeoutMs === undefined ? {} : { timeoutMs })
    } catch (error) {
      if (!(error instanceof WorkerError)) throw error
      throw new BinaryError(codes[error.code], error.message, { cause: error })
    } finally {
      const next = waiting.shift()
      if (next) next(worker)
      else idle.push(worker)
    }
  }

  return {
    async readApp(path, { timeoutMs, ...options } = {}) {
      return requireValue(await ask({ verb: 'readApp', path, options }, timeoutMs)) as AppInfo
    },
    async readIcon(path, icon, { timeoutMs } = {}) {
      const image = requireValue(await ask({ verb: 'readIcon', path, icon }, timeoutMs)) as IconImage | null
      return image && { ...image, bytes: Buffer.from(image.bytes) }
    },
    async readImages(path, { timeoutMs } = {}) {
      return requireValue(await ask({ verb: 'readImages', path }, timeoutMs)) as AppImage[]
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(workers.map((worker) => worker[Symbol.asyncDispose]()))
    },
  }
}

function requireValue(answer: ReaderAnswer): AppInfo | AppImage[] | IconImage | null {
  if ('value' in answer) return answer.value
  const { code, detail, app } = answer
  throw new BinaryError(code, detail, app ? { app } : {})
}
