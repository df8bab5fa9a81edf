export { countCases, judgeAttempts } from './cases/counts.ts'
export { identify, normalizeName, type TestNames } from './cases/identity.ts'
export { listCases } from './cases/list-cases.ts'
export { type Details, openDetails } from './details/block-reader.ts'
export { defaultLimits, type ReportLimits } from './limits.ts'
export type { LogEntry, ReadLog } from './log/read-log.ts'
export type { ReadReportsOptions } from './read-options.ts'
export { readReports } from './read-reports.ts'
export type {
  Attempt,
  AttachmentReference,
  Counts,
  ExtractedAttachment,
  Failure,
  Outcome,
  Output,
  Place,
  ReadFile,
  ReportCase,
  ReportFormat,
  ReportSummary,
  RetryMark,
  SuiteOutput,
  Warning,
  WarningCode,
} from './report.ts'
export { ReportsError, type ReportsErrorCode } from './reports-error.ts'
export { createLogReader, type LogReader } from './worker/log-reader.ts'
export { createReportReader, type ReportReader, type ReportReaderOptions } from './worker/report-reader.ts'
