/** The messages between a report reader and its threads: one request at a time, one answer to each. */
import type { ReadReportsOptions } from '../read-options.ts'
import type { ReportSummary } from '../report.ts'
import type { ReportsErrorCode } from '../reports-error.ts'

export interface ReaderRequest {
  path: string
  folder: string
  options: Omit<ReadReportsOptions, 'onChild'>
}

export type ReaderAnswer =
  | { summary: ReportSummary }
  | { code: ReportsErrorCode; detail: string; source: string; line: number | null }
  /** The id of a child process that the thread started; 0 when it has ended. */
  | { child: number }
