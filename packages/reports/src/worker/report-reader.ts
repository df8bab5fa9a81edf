import { type QueueLimits, type TurnOptions, TurnQueue } from '@fairlead/binary'
import { WorkerError, type WorkerFailure, type WorkerLimits, WorkerProcess } from '@fairlead/binary/worker-process'
import type { ReadReportsOptions } from '../read-options.ts'
import type { ReportSummary } from '../report.ts'
import { ReportsError, type ReportsErrorCode } from '../reports-error.ts'
import type { ReaderAnswer, ReaderRequest } from './messages.ts'

/** The error code for each way in which a process can end without an answer. */
export const codes = {
  timeout: 'timeout',
  'out-of-memory': 'out-of-memory',
  crashed: 'crashed',
  exited: 'crashed',
} as const satisfies Record<WorkerFailure, ReportsErrorCode>

export interface ReportReaderOptions extends Partial<WorkerLimits>, Partial<QueueLimits> {
  /** The number of uploads that are read at the same time. Default 1. */
  workers?: number
}

/** Collections of a small young generation take little memory and, for short-lived rows, hardly more time. */
const youngGenerationMb = 12

/** `readReports` in worker processes, so that no upload can block, exhaust or crash the process. */
export interface ReportReader extends AsyncDisposable {
  /**
   * Waits for a turn, then reads an upload. Rejects with the errors of `readReports`; with ReportsError `timeout`,
   * `out-of-memory` or `crashed`; with QueueFullError; or with the signal's reason. Nothing writes to `folder` then.
   */
  readReports(path: string, folder: string, options?: ReadReportsOptions & TurnOptions): Promise<ReportSummary>
}

/**
 * Starts worker processes when they are needed and keeps them warm; they do not keep the process alive. An upload is
 * ended if it takes longer than `timeoutMs` (default 120,000, counted from its turn) or more than `maxMemoryMb` of
 * JavaScript heap (default 512). At most `maxQueued` uploads wait (default 100; 25 of one key).
 */
export function createReportReader(options: ReportReaderOptions = {}): ReportReader {
  const { timeoutMs = 120_000, maxMemoryMb = 512, workers: count = 1 } = options
  const { maxQueued = 100, maxQueuedPerKey = 25 } = options
  const entry = new URL('./report-worker.ts', import.meta.url)
  const workers = Array.from({ length: count }, () => {
    return new WorkerProcess<ReaderRequest, ReaderAnswer>(entry, { timeoutMs, maxMemoryMb, youngGenerationMb })
  })
  const queue = new TurnQueue(workers, { ...options, maxQueued, maxQueuedPerKey })

  return {
    async readReports(path, folder, { turnKey = '', signal, timeoutMs: ownTimeoutMs = timeoutMs, ...given } = {}) {
      const worker = await queue.take({ key: turnKey, signal })
      try {
        const answer = await worker.ask({ path, folder, options: given }, { timeoutMs: ownTimeoutMs, signal })
        if ('summary' in answer) return answer.summary
        throw new ReportsError(answer.code, answer.detail, answer)
      } catch (error) {
        if (!(error instanceof WorkerError)) throw error
        throw new ReportsError(codes[error.code], error.message, {}, { cause: error })
      } finally {
        queue.release(worker)
      }
    },
    async [Symbol.asyncDispose]() {
      queue.refuseAll(new ReportsError('crashed', 'The reader was closed.'))
      await Promise.all(workers.map((worker) => worker[Symbol.asyncDispose]()))
    },
  }
}
