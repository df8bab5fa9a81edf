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
export { type ContentEncoding, contentEncodings, decodeBody } from './delivery/decode-body.ts'
export { type DeliveryOptions, type DeliveryProtocol, readDelivery } from './delivery/read-delivery.ts'
export { type FramePlace, isAppFrame } from './grouping/app-frames.ts'
export type { GroupedFrame } from './grouping/frame-name.ts'
export type { FrameRule } from './grouping/frame-rules.ts'
export { blankMessage, type GroupingInput, type GroupKey, groupingVersion, toGroupKey } from './grouping/group-key.ts'
export type { SkipReason } from './grouping/skipped-frames.ts'
export { maxEventBytes, maxUnpackedBytes } from './limits.ts'
export { packJson, unpackJson } from './packed-json.ts'
export { maskMessage, maskPath, maskText } from './privacy/mask.ts'
export { scrubCrash, type ScrubbedCrash } from './privacy/scrub.ts'
export { readReport, type ReportOptions } from './raw/read-report.ts'
export { createEventId, readEnvelope, readStoreBody } from './sentry/read-envelope.ts'
export { parseEnvelope } from './sentry/envelope.ts'
export { type ResolvedFrame, type ResolvedStack, resolveStack } from './stack/resolve-stack.ts'
export {
  hashStack,
  type MappingReference,
  type StackContent,
  type StackFrame,
  toStackContent,
} from './stack/stack-content.ts'
export { type ImageNeed, listNeeds, type SymbolNeeds } from './stack/symbol-needs.ts'
export { type CrashReader, type CrashReaderOptions, createCrashReader } from './worker/crash-reader.ts'
export type {
  Delivery,
  DeliverySummary,
  PackedStack,
  PreparedCrash,
  PreparedDelivery,
  StackToResolve,
} from './worker/messages.ts'
export { checkDelivery, hashInstall, type KeptReport } from './worker/prepare-delivery.ts'
