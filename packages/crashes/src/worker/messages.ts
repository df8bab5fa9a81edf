/** The messages between a crash reader and its processes. A process answers one request at a time, and each once. */
import type { ReadCrash, ReadSession } from '../crash.ts'
import type { CrashesErrorCode } from '../crashes-error.ts'
import type { ContentEncoding } from '../delivery/decode-body.ts'
import type { DeliveryOptions, DeliveryProtocol } from '../delivery/read-delivery.ts'
import type { GroupKey } from '../grouping/group-key.ts'
import type { FrameOwner } from '../stack/resolve-stack.ts'
import type { SymbolNeeds } from '../stack/symbol-needs.ts'

export interface Delivery {
  body: Uint8Array
  encoding: ContentEncoding | null
  protocol: DeliveryProtocol
  options: DeliveryOptions
}

/** A summary of a delivery for the answer to its sender. */
export interface DeliverySummary {
  crashIds: string[]
  sessionCount: number
  dropped: string[]
}

type KeptField =
  | 'source'
  | 'sourceId'
  | 'kind'
  | 'isFatal'
  | 'occurredAt'
  | 'package'
  | 'shortVersion'
  | 'version'
  | 'deviceModel'
  | 'osName'
  | 'osVersion'
  | 'platform'
  | 'environment'
  | 'tags'

/** What an application's deliveries are read with. */
export interface ReadSettings {
  installSecret: Uint8Array
  /** Whether `extra` and contexts of the app's own are stored. */
  keepsCustomData: boolean
}

/** `StackContent`, as JSON or as `packJson` writes it. */
export type ContentMessage = string | Uint8Array

/** A crash without personal data, ready to be stored. */
export interface PreparedCrash extends Pick<ReadCrash, KeptField> {
  /** 16 hexadecimal digits of an HMAC. */
  installId: string | null
  /** Of the root cause, masked. */
  message: string | null
  stack: { hash: string; needs: SymbolNeeds; content: ContentMessage }
  /** `KeptReport` as `packJson` writes it. */
  report: Uint8Array
}

export interface PreparedDelivery {
  crashes: PreparedCrash[]
  /** Sessions with hashed ids. */
  sessions: ReadSession[]
  dropped: string[]
  lost: Record<string, number>
  sentAt: number | null
}

export interface StackToResolve {
  content: ContentMessage
  /** Paths of lookup files by UUID in lower case. */
  lookupFiles: Record<string, string>
  /** Paths of the indexes of mappings. */
  mappingFiles: string[]
  /** Paths of the indexes of Dart's obfuscation maps. */
  dartMapFiles: string[]
  /** Paths of lookup files of source maps by the key of their bundle. */
  sourceMapFiles: Record<string, string>
}

export interface PackedStack {
  exceptionTypes: string[]
  key: GroupKey
  keyHash: string
  /** `StackContent` as `packJson` writes it. */
  content: Uint8Array
  /** `ResolvedStack` as `packJson` writes it. */
  resolved: Uint8Array
}

export type CrashReaderRequest =
  | { verb: 'check'; delivery: Delivery }
  | { verb: 'read'; deliveries: Delivery[]; settings: ReadSettings }
  | { verb: 'resolve'; stacks: StackToResolve[]; owner: FrameOwner }

/** A `CrashesError`, whose class a message would not keep. */
export interface ErrorMessage {
  error: { code: CrashesErrorCode; detail: string }
}

/** An answer to `read` has at least the first of the deliveries, and in their order as many as fit. */
export type CrashReaderAnswer =
  | { summary: DeliverySummary }
  | { deliveries: (PreparedDelivery | ErrorMessage)[] }
  | { stacks: PackedStack[] }
  | ErrorMessage
