import type { ReadReportsOptions } from '../read-options.ts'
import type { ReportSummary } from '../report.ts'
import { FairQueue } from './fair-queue.ts'
import { ReaderThread, type ThreadLimits } from './reader-thread.ts'

export interface ReportReaderOptions extends Partial<ThreadLimits> {
  /** The number of uploads that are read at the same time. Default 1. */
  threads?: number
  /** The number of uploads that may wait. Default 100. */
  maxQueued?: number
}

export interface ReportReader extends AsyncDisposable {
  /**
   * Runs `readReports` in a thread. Uploads of different keys (workspaces) take turns. Rejects with the errors of
   * `readReports`, and with ReportsError `busy`, `aborted`, `timeout`, `out-of-memory` or `crashed`.
   */
  readReports(
    path: string,
    folder: string,
    options?: Omit<ReadReportsOptions, 'onChild'> & { key?: string; signal?: AbortSignal; timeoutMs?: number },
  ): Promise<ReportSummary>
}

/**
 * Starts threads and keeps them warm; they do not keep the process alive. An upload is ended if it takes longer than
 * `timeoutMs` (default 120,000, without the time that it waits) or more than `maxMemoryMb` of heap (default 512).
 */
export function createReportReader(options: ReportReaderOptions = {}): ReportReader {
  const { timeoutMs = 120_000, maxMemoryMb = 512, threads: count = 1, maxQueued = 100 } = options
  const threads = Array.from({ length: count }, () => new ReaderThread({ timeoutMs, maxMemoryMb }))
  const queue = new FairQueue(threads, maxQueued)
  return {
    async readReports(path, folder, { key = '', signal, timeoutMs, ...options } = {}) {
      const thread = await queue.take(key, signal)
      try {
        return await thread.ask({ path, folder, options }, timeoutMs, signal)
      } finally {
        queue.give(thread)
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(threads.map((thread) => thread[Symbol.asyncDispose]()))
    },
  }
}
