export type { ReadSession } from './crash.ts'
export { CrashesError } from './crashes-error.ts'
export { condenseBody } from './delivery/condense-body.ts'
export { type ContentEncoding, contentEncodings, decodeStart } from './delivery/decode-body.ts'
export type { DeliveryOptions, DeliveryProtocol } from './delivery/read-delivery.ts'
export { maxCondensedBytes } from './limits.ts'
export { isAppFrame } from './grouping/app-frames.ts'
export { blankedParts, blankMessage, toGroupKey } from './grouping/group-key.ts'
export { packJson, unpackJson } from './packed-json.ts'
export { splitRelease } from './release.ts'
export { scrubCrash } from './privacy/scrub.ts'
export { readReport } from './raw/read-report.ts'
export { createEventId } from './sentry/read-envelope.ts'
export { parseEnvelope } from './sentry/envelope.ts'
export { createFrameJudge, type PastedFrame } from './stack/judge-frame.ts'
export { type FrameOwner, type ResolvedStack, resolveStack } from './stack/resolve-stack.ts'
export { hashStack, type MappingReference, type StackContent } from './stack/stack-content.ts'
export { listNeeds, type SymbolNeeds } from './stack/symbol-needs.ts'
export { type CrashReader, createCrashReader } from './worker/crash-reader.ts'
export type {
  Delivery,
  DeliverySummary,
  PackedStack,
  PreparedCrash,
  PreparedDelivery,
  ReadSettings,
  StackToResolve,
} from './worker/messages.ts'
export { checkDelivery, hashInstall, type KeptReport } from './worker/prepare-delivery.ts'
