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
  /** What the frames were written in, by the payload. */
  platform: CrashPlatform
  /** Such as production or staging; null if the sender does not say. */
  environment: string | null
  /** Identifies the installation, as the sender gave it. It must be hashed before it is stored. */
  installId: string | null
  /** The exceptions, outermost first. The last one is the root cause. */
  exceptions: CrashException[]
  /** The frames of the root cause, or of the thread that crashed, innermost first. */
  frames: ReportedFrame[]
  images: CrashImage[]
  /** Ids of the ProGuard or R8 mappings that the sender names. */
  mappingIds: string[]
  /** The client's own grouping; null if the server decides. */
  fingerprint: string[] | null
  breadcrumbs: Breadcrumb[]
  /** What the app itself said about the crash, by name. */
  tags: Record<string, string>
  contexts: CrashContexts
  /** `extra` and further contexts of the sender. They are stored only for applications that keep custom data. */
  customData: Record<string, Record<string, string>>
  /** The threads of the report, if it has more than the frames above: the crashed one first. */
  threads: ReadThread[]
}

export type CrashPlatform = 'android' | 'apple' | 'native' | 'dart' | 'javascript' | 'other'

/** Facts about the device, its system, the app and the language's runtime, as flat text. */
export type CrashContexts = Record<'device' | 'os' | 'app' | 'runtime', Record<string, string>>

export interface ReadThread<Frame = ReportedFrame> {
  id: string | null
  name: string | null
  /** What it was doing, in the words of its runtime, such as WAITING. */
  state: string | null
  isCrashed: boolean
  /** Innermost first. */
  frames: Frame[]
}

export type CrashSource = 'sentry' | 'appcenter' | 'acra' | 'android' | 'apple' | 'metrickit'
export type CrashKind = 'crash' | 'anr' | 'hang' | 'handled'

export interface CrashException {
  type: string
  message: string | null
}

/** A frame as the report describes it. Java frames have a class and a method, native ones an image and an offset. */
export interface ReportedFrame {
  className: string | null
  methodName: string | null
  function: string | null
  file: string | null
  line: number | null
  /** Counted from 1. */
  column: number | null
  /** The UUID of the image in lower case with hyphens. */
  imageUuid: string | null
  /** Address minus the start of the image, in bytes, for return addresses as well. */
  imageOffset: number | null
  address: bigint | null
  /** The name of the image. */
  module: string | null
  /**
   * Whether `imageOffset` is an address of the ELF file, which the unwinder of Android has corrected for return
   * addresses already.
   */
  isFileAddress: boolean
  /** Set on an innermost frame that was left by a call as well, as in the backtrace of an exception. */
  isReturnAddress?: true
  /** Whether the sender takes the frame for one of the app; null if it does not say. */
  inApp: boolean | null
  /** A frame of JavaScript: `module` is its bundle, and `imageUuid` the bundle's debug id, if it has one. */
  isJavaScript?: boolean
  /** The place of the code of a frame of Dart. Older programs print it instead of an address, the `imageOffset`. */
  dartPlace?: DartPlace
}

/** An offset in one of the two sections of code of a snapshot; its symbols say where the sections begin. */
export interface DartPlace {
  section: 'isolate' | 'vm'
  offset: number
}

export interface CrashImage {
  /** The last part of the path of the source file. */
  name: string
  uuid: string | null
  architecture: string | null
  /** Whether the image is in an application bundle rather than in the system; null if the report does not say. */
  isApp: boolean | null
  /** Whether the image is an ELF file, whose UUID is its debug id; else it is Mach-O. */
  isElf?: boolean
  /** The build id of an ELF file in hexadecimal. */
  codeId?: string | null
}

/** Something that happened before the crash. */
export interface Breadcrumb {
  occurredAt: number | null
  /** The sender's word, such as navigation, http, user or system. */
  type: string
  category: string | null
  level: string | null
  message: string | null
  data: Record<string, string>
}

/** The start or end of a session, for the rate of crash-free sessions. */
export interface ReadSession {
  package: string | null
  shortVersion: string | null
  version: string | null
  /** Null for counts that the device has aggregated. */
  sessionId: string | null
  startedAt: number | null
  startedCount: number
  environment: string | null
  /** Identifies the installation. It must be hashed before it is stored. */
  installId: string | null
  /** The number of sessions that ended in a crash, an app that does not respond, or an unexpected end. */
  crashedCount: number
}

/** The content of one delivery. */
export interface ReadDelivery<Crash = ReadCrash> {
  crashes: Crash[]
  sessions: ReadSession[]
  /** The types of items that were not read, one entry per item. */
  dropped: string[]
  /** Crashes that the sender itself discarded, by reason. */
  lost: Record<string, number>
  /** The time of sending by the sender's clock. Its difference from the time of arrival corrects the other times. */
  sentAt: number | null
}

export function emptyDelivery<Crash = ReadCrash>(): ReadDelivery<Crash> {
  return { crashes: [], sessions: [], dropped: [], lost: {}, sentAt: null }
}

export const emptyFrame: ReportedFrame = {
  className: null,
  methodName: null,
  function: null,
  file: null,
  line: null,
  column: null,
  imageUuid: null,
  imageOffset: null,
  address: null,
  module: null,
  isFileAddress: false,
  inApp: null,
}

/** The time, app and device of a crash that is a stack alone, which names none of them. */
export const unknownOrigin = {
  occurredAt: null,
  package: null,
  shortVersion: null,
  version: null,
  deviceModel: null,
  osName: null,
  osVersion: null,
  installId: null,
} satisfies Partial<ReadCrash>

/** What most senders do not say. */
export const noDetails: Pick<ReadCrash, 'environment' | 'tags' | 'contexts' | 'customData' | 'threads'> = {
  environment: null,
  tags: {},
  contexts: { device: {}, os: {}, app: {}, runtime: {} },
  customData: {},
  threads: [],
}
