/** The messages between a report reader and its processes. A process answers one request at a time, and each once. */
import type { ReadLog } from '../log/read-log.ts'
import type { ReadReportsOptions } from '../read-options.ts'
import type { ReportSummary } from '../report.ts'
import type { ReportsErrorCode } from '../reports-error.ts'

export interface ReaderRequest {
  path: string
  folder: string
  options: ReadReportsOptions
}

export type ReaderAnswer =
  | { summary: ReportSummary }
  | { code: ReportsErrorCode; detail: string; source: string; line: number | null }

/** A log in a file, or its text. */
export type LogSource = { path: string } | { text: string }

export interface LogRequest {
  source: LogSource
  year: number
}

export interface LogAnswer {
  log: ReadLog | undefined
}
