import type { AppIcon, AppInfo } from '../app-info.ts'
import { BinaryError } from '../binary-error.ts'
import type { ReadAppOptions } from '../read-app-options.ts'
import type { AppImage } from '../images/read-images.ts'
import type { IconImage } from '../read-icon.ts'
import type { ReaderAnswer, ReaderRequest } from './messages.ts'
import { ReaderThread, type ThreadLimits } from './reader-thread.ts'

export interface AppReaderOptions extends Partial<ThreadLimits> {
  /** Number of files read at the same time; further files wait. Default 1. */
  threads?: number
}

/**
 * `readApp`, `readIcon` and `readImages` in worker threads, so that no file can block, exhaust or crash the process.
 */
export interface AppReader extends AsyncDisposable {
  readApp(path: string, options?: ReadAppOptions & { timeoutMs?: number }): Promise<AppInfo>
  readIcon(path: string, icon: AppIcon, options?: { timeoutMs?: number }): Promise<IconImage | null>
  readImages(path: string, options?: { timeoutMs?: number }): Promise<AppImage[]>
}

/**
 * Starts worker threads and keeps them warm; they do not keep the process alive. A file is aborted and its thread
 * replaced if it takes longer than `timeoutMs` (default 10,000, counted from its turn) or more than `maxMemoryMb` of
 * JavaScript heap (default 128). Its promise then rejects with BinaryError `timeout`, `out-of-memory` or `crashed`.
 */
export function createAppReader(options: AppReaderOptions = {}): AppReader {
  const { timeoutMs = 10_000, maxMemoryMb = 128, threads: count = 1 } = options
  const threads = Array.from({ length: count }, () => new ReaderThread({ timeoutMs, maxMemoryMb }))
  const idle = [...threads]
  const waiting: ((thread: ReaderThread) => void)[] = []

  async function ask(request: ReaderRequest, timeoutMs?: number): Promise<ReaderAnswer> {
    const thread = idle.pop() ?? (await new Promise<ReaderThread>((resolve) => waiting.push(resolve)))
    try {
      return await thread.ask(request, timeoutMs)
    } finally {
      const next = waiting.shift()
      if (next) next(thread)
      else idle.push(thread)
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
      await Promise.all(threads.map((thread) => thread[Symbol.asyncDispose]()))
    },
  }
}

function requireValue(answer: ReaderAnswer): AppInfo | AppImage[] | IconImage | null {
  if ('value' in answer) return answer.value
  const { code, detail, app } = answer
  throw new BinaryError(code, detail, app ? { app } : {})
}
