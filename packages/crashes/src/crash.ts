/** A crash as its sender described it, whatever protocol it came by: nothing is resolved, masked or counted yet. */
export interface ReadCrash {
  source: CrashSource
  /** The sender's own id, which is the same when it sends the crash again. */
  sourceId: string
  kind: CrashKind
  isFatal: boolean
  /** Epoch milliseconds by the sender's clock; null when the report does not say. */
  occurredAt: number | null
  package: string | null
  /** The marketing version, such as 2.4.1. */
  shortVersion: string | null
  /** The build number, as text. */
  version: string | null
  deviceModel: string | null
  osName: string | null
  osVersion: string | null
  /** What tells one installation from another, as the sender gave it. It must be hashed before it is stored. */
  installId: string | null
  /** Outermost first; the last is the root cause. */
  exceptions: CrashException[]
  /** Of the root cause, or of the thread that crashed; innermost first. */
  frames: ReportedFrame[]
  images: CrashImage[]
  /** Ids of the ProGuard or R8 mappings that the sender names. */
  mappingIds: string[]
  /** The client's own grouping; null where it leaves grouping to the server. */
  fingerprint: string[] | null
  breadcrumbs: Breadcrumb[]
}

export type CrashSource = 'sentry' | 'appcenter' | 'acra' | 'android' | 'apple' | 'metrickit'
export type CrashKind = 'crash' | 'anr' | 'hang' | 'handled'

export interface CrashException {
  type: string
  message: string | null
}

/** A frame in the words of the report. Java frames have a class and a method, native ones an image and an offset. */
export interface ReportedFrame {
  className: string | null
  methodName: string | null
  function: string | null
  file: string | null
  line: number | null
  /** Lower case with hyphens. */
  imageUuid: string | null
  /** Address minus the start of the image, in bytes, for return addresses as well. */
  imageOffset: number | null
  address: bigint | null
  /** The name of the image. */
  module: string | null
}

export interface CrashImage {
  /** The last part of the path. */
  name: string
  uuid: string | null
  architecture: string | null
  /** Whether it lies in an application bundle rather than in the system; null where the report does not tell. */
  isApp: boolean | null
}

/** Something that happened before the crash. */
export interface Breadcrumb {
  occurredAt: number | null
  category: string | null
  message: string
}

/** A start or an end of a use of the app, for crash-free rates. */
export interface ReadSession {
  package: string | null
  shortVersion: string | null
  version: string | null
  /** Null for counts that were summed up on the device. */
  sessionId: string | null
  startedAt: number | null
  startedCount: number
  /** Sessions that ended in a crash, an unresponsive app, or an unexpected end. */
  crashedCount: number
}

/** Everything that one delivery held. */
export interface ReadDelivery {
  crashes: ReadCrash[]
  sessions: ReadSession[]
  /** The types of what was not read, one per item. */
  dropped: string[]
  /** Crashes that the sender itself threw away, by its reason. */
  lost: Record<string, number>
  /** When the delivery was sent by the sender's clock; the difference from the arrival corrects its other times. */
  sentAt: number | null
}

export function emptyDelivery(): ReadDelivery {
  return { crashes: [], sessions: [], dropped: [], lost: {}, sentAt: null }
}

export const emptyFrame: ReportedFrame = {
  className: null,
  methodName: null,
  function: null,
  file: null,
  line: null,
  imageUuid: null,
  imageOffset: null,
  address: null,
  module: null,
}
