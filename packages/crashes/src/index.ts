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
export { type FramePlace, isAppFrame } from './grouping/app-frames.ts'
export type { GroupedFrame } from './grouping/frame-name.ts'
export { blankMessage, type GroupingInput, type GroupKey, groupingVersion, toGroupKey } from './grouping/group-key.ts'
export type { SkipReason } from './grouping/skipped-frames.ts'
export { maskMessage, maskPath, maskText } from './privacy/mask.ts'
export { scrubCrash, type ScrubbedCrash } from './privacy/scrub.ts'
export { readReport, type ReportOptions } from './raw/read-report.ts'
export { createEventId, readEnvelope, readStoreBody } from './sentry/read-envelope.ts'
