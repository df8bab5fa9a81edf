import { createPool, type QueueLimits, type TurnOptions } from '@fairlead/workers'
import type { WorkerError, WorkerFailure, WorkerLimits } from '@fairlead/workers'
import type { ReadReportsOptions } from '../read-options.ts'
import type { ReportSummary } from '../report.ts'
import { ReportsError, type ReportsErrorCode } from '../reports-error.ts'
import type { ReaderAnswer, ReaderRequest } from './messages.ts'

/** The error code for each way in which a process can end without an answer. */
const codes = {
  timeout: 'timeout',
  'out-of-memory': 'out-of-memory',
  crashed: 'crashed',
  exited: 'crashed',
  closed: 'crashed',
} as const satisfies Record<WorkerFailure, ReportsErrorCode>

/** Gives the error for a process that ended without an answer. */
export function toReportsError(error: WorkerError): ReportsError {
  return new ReportsError(codes[error.code], error.message, {}, { cause: error })
}

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
 * ended if it takes more than `processorMs` of processor time (default 120,000), longer than `timeoutMs` by the clock
 * (default 600,000, counted from its turn) or more than `maxMemoryMb` of JavaScript heap (default 512). At most
 * `maxQueued` uploads wait (default 100; 25 of one key).
 */
export function createReportReader(options: ReportReaderOptions = {}): ReportReader {
  const { processorMs = 120_000, timeoutMs = 600_000, maxMemoryMb = 512 } = options
  const { maxQueued = 100, maxQueuedPerKey = 25 } = options
  const pool = createPool<ReaderRequest, ReaderAnswer>(new URL('./report-worker.ts', import.meta.url), {
    ...options,
    processorMs,
    timeoutMs,
    maxMemoryMb,
    youngGenerationMb,
    maxQueued,
    maxQueuedPerKey,
    toError: toReportsError,
  })

  return {
    async readReports(
      path,
      folder,
      { turnKey, signal, processorMs: ownProcessorMs, timeoutMs: ownTimeoutMs, ...given } = {},
    ) {
      const turn = { turnKey, signal, processorMs: ownProcessorMs, timeoutMs: ownTimeoutMs }
      const answer = await pool.ask({ path, folder, options: given }, turn)
      if ('summary' in answer) return answer.summary
      throw new ReportsError(answer.code, answer.detail, answer)
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}
