import { createPool, type TurnOptions, type WorkerLimits } from '@fairlead/workers'
import type { ReadLog } from '../log/read-log.ts'
import type { LogAnswer, LogRequest, LogSource } from './messages.ts'
import { toReportsError } from './report-reader.ts'

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

/**
 * Starts its process when it is needed. Unless given, a log may take 3 seconds of processor time, 2 minutes by the
 * clock and 256 MB of JavaScript heap.
 */
export function createLogReader(options: Partial<WorkerLimits> = {}): LogReader {
  const { processorMs = 3000, timeoutMs = 120_000, maxMemoryMb = 256 } = options
  const pool = createPool<LogRequest, LogAnswer>(new URL('./log-worker.ts', import.meta.url), {
    processorMs,
    timeoutMs,
    maxMemoryMb,
    maxQueued: 100,
    maxQueuedPerKey: 25,
    toError: toReportsError,
  })

  return {
    async readLog(source, year, turn) {
      const { log } = await pool.ask({ source, year }, turn)
      return log
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}
