import { createPool, type QueueLimits, type TurnOptions } from '@fairlead/workers'
import { WorkerError, type WorkerFailure, type WorkerLimits } from '@fairlead/workers'
import type { AppInfo } from '../app-info.ts'
import { BinaryError, type BinaryErrorCode } from '../binary-error.ts'
import type { AppFile } from '../read-app-file.ts'
import type { ReadAppOptions } from '../read-app-options.ts'
import type { PlainError, ReaderAnswer, ReaderRequest } from './messages.ts'

/** The error code for each way in which a process can end without an answer. */
const codes = {
  timeout: 'timeout',
  'out-of-memory': 'out-of-memory',
  crashed: 'crashed',
  exited: 'crashed',
  closed: 'crashed',
} as const satisfies Record<WorkerFailure, BinaryErrorCode>

export interface AppReaderOptions extends Partial<WorkerLimits>, Partial<QueueLimits> {
  /** Number of files read at the same time; further files wait. Default 1. */
  workers?: number
}

/** `readApp` and `readAppFile` in worker processes, so that no file can block, exhaust or crash the process. */
export interface AppReader extends AsyncDisposable {
  readApp(path: string, options?: ReadAppOptions & TurnOptions): Promise<AppInfo>
  /**
   * Reads all parts with one request. It may take twice the time of `readApp`. If it takes longer or too much memory,
   * the file is read again without its icon and images.
   */
  readAppFile(path: string, options?: ReadAppOptions & TurnOptions): Promise<AppFile>
}

/**
 * Starts worker processes when they are needed and keeps them warm; they do not keep the process alive. A file is
 * aborted and its process replaced if it takes more than `processorMs` of processor time (default 10,000), longer than
 * `timeoutMs` by the clock (default 120,000, counted from its turn) or more than `maxMemoryMb` of JavaScript heap
 * (default 128). Its promise then rejects with BinaryError `timeout`, `out-of-memory` or `crashed`. At most `maxQueued`
 * files wait (default 256; 64 of one key); more are refused with QueueFullError.
 */
export function createAppReader(options: AppReaderOptions = {}): AppReader {
  const { processorMs = 10_000, timeoutMs = 120_000, maxMemoryMb = 128 } = options
  const { maxQueued = 256, maxQueuedPerKey = 64 } = options
  const pool = createPool<ReaderRequest, ReaderAnswer>(new URL('./reader-worker.ts', import.meta.url), {
    ...options,
    processorMs,
    timeoutMs,
    maxMemoryMb,
    maxQueued,
    maxQueuedPerKey,
    toError: (error) => new BinaryError(codes[error.code], error.message, { cause: error }),
  })

  async function ask(
    path: string,
    isWhole: boolean,
    { verify = false, turnKey, signal, ...own }: ReadAppOptions & TurnOptions,
  ): Promise<AppFile> {
    const factor = isWhole ? 2 : 1
    const limits = {
      processorMs: factor * (own.processorMs ?? processorMs),
      timeoutMs: factor * (own.timeoutMs ?? timeoutMs),
    }
    return toAppFile(await pool.ask({ path, options: { verify }, isWhole }, { turnKey, signal, ...limits }))
  }

  return {
    async readApp(path, given = {}) {
      const { app } = await ask(path, false, given)
      return app
    },
    async readAppFile(path, given = {}) {
      try {
        return await ask(path, true, given)
      } catch (error) {
        if (!(error instanceof BinaryError) || !(error.cause instanceof WorkerError)) throw error
        const file = await ask(path, false, given)
        return { ...file, errors: [error] }
      }
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

function toAppFile(answer: ReaderAnswer): AppFile {
  if ('error' in answer) throw toBinaryError(answer.error)
  const { file } = answer
  // A message gives bytes back as a plain Uint8Array.
  const icon = file.icon && { ...file.icon, bytes: Buffer.from(file.icon.bytes) }
  return { ...file, icon, errors: file.errors.map(toBinaryError) }
}

function toBinaryError({ code, detail, app }: PlainError): BinaryError {
  return new BinaryError(code, detail, app ? { app } : {})
}
