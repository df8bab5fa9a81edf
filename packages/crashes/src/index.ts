export { readAcraReport } from './acra/read-report.ts'
export { type AppCenterOptions, readLogs } from './app-center/read-logs.ts'
export type {
  Breadcrumb,
  CrashException,
  CrashImage,
  CrashKind,
  CrashSource,
  ReadCrash,
  ReadDelivery,
  ReadSession,
  ReportedFrame,
} from './crash.ts'
export { CrashesError, type CrashesErrorCode } from './crashes-error.ts'
export { readReport, type ReportOptions } from './raw/read-report.ts'
export { createEventId, readEnvelope, readStoreBody } from './sentry/read-envelope.ts'
