import { type TurnOptions, TurnQueue } from '@fairlead/binary'
import { WorkerError, type WorkerLimits, WorkerProcess } from '@fairlead/binary/worker-process'
import type { ReadLog } from '../log/read-log.ts'
import { ReportsError } from '../reports-error.ts'
import type { LogAnswer, LogRequest, LogSource } from './messages.ts'
import { codes } from './report-reader.ts'

/** Reads logs in a worker process, because a log may be JSON that takes long to parse. */
export interface LogReader extends AsyncDisposable {
  /**
   * Waits for a turn, then reads a log; undefined if no line of it has a time. The times of logcat have no year, which
   * the caller gives.
   *
   * @throws {ReportsError} timeout, out-of-memory, crashed
   * @throws {QueueFullError} when too many wait
   */
  readLog(source: LogSource, year: number, options?: TurnOptions): Promise<ReadLog | undefined>
}

/** Starts its process when it is needed. A log may take 3 seconds and 256 MB of JavaScript heap unless given. */
export function createLogReader({ timeoutMs = 3000, maxMemoryMb = 256 }: Partial<WorkerLimits> = {}): LogReader {
  const entry = new URL('./log-worker.ts', import.meta.url)
  const worker = new WorkerProcess<LogRequest, LogAnswer>(entry, { timeoutMs, maxMemoryMb })
  const queue = new TurnQueue([worker], { maxQueued: 100, maxQueuedPerKey: 25 })

  return {
    async readLog(source, year, { turnKey = '', signal } = {}) {
      const taken = await queue.take({ key: turnKey, signal })
      try {
        return (await taken.ask({ source, year }, { signal })).log
      } catch (error) {
        if (!(error instanceof WorkerError)) throw error
        throw new ReportsError(codes[error.code], error.message, {}, { cause: error })
      } finally {
        queue.release(taken)
      }
    },
    async [Symbol.asyncDispose]() {
      queue.refuseAll(new ReportsError('crashed', 'The reader was closed.'))
      await worker[Symbol.asyncDispose]()
    },
  }
}
