/**
 * A stack is the part of a crash that decides its group: the reported thread without addresses, messages and anything
 * else that differs between two crashes at the same place. Equal stacks have equal hashes.
 */
import { hash } from 'node:crypto'
import { detectMapId } from '@fairlead/symbols'
import type { CrashImage, CrashKind, DartPlace, ReportedFrame } from '../crash.ts'
import { isAppFrame } from '../grouping/app-frames.ts'
import { isVague } from '../grouping/frame-name.ts'
import { blankMessage, isNamedInKeys, tellsPlace } from '../grouping/group-key.ts'
import { toFunctionName } from './function-name.ts'
import { toSourceMapKey } from './source-map-key.ts'
import type { ScrubbedCrash } from '../privacy/scrub.ts'

export interface StackContent {
  kind: CrashKind
  /** Outermost first. */
  exceptionTypes: string[]
  /** The message with numbers and quotations blanked; null if the frames alone decide the group. */
  message: string | null
  fingerprint: string[] | null
  /** Innermost first. */
  frames: StackFrame[]
  /** Identifies the mappings that can restore the names of Java frames; null if there are no Java frames. */
  mapping: MappingReference | null
  /** Identifies source maps. It is only there if frames lie in a bundle without a debug id. */
  release?: StackRelease
}

export interface StackRelease {
  package: string | null
  shortVersion: string | null
  version: string | null
}

export interface StackFrame {
  className: string | null
  methodName: string | null
  function: string | null
  file: string | null
  line: number | null
  imageUuid: string | null
  imageOffset: number | null
  module: string | null
  isAppImage: boolean | null
  architecture: string | null
  // Stacks are known by the hash of their JSON, so fields that came later are only there where they say something.
  column?: number
  isFileAddress?: true
  isReturnAddress?: true
  isElf?: true
  isJavaScript?: true
  dartPlace?: DartPlace
  /** The build id of the ELF file in hexadecimal. */
  codeId?: string
  /**
   * What the sender says of the frame. Set only where it decides something, because the hash of a stack covers it: for
   * frames that are none of the app, and for those of the app that have neither a class nor an image.
   */
  inApp?: boolean
}

export interface MappingReference extends StackRelease {
  /** The ids of mappings in the report, which R8 or Sentry's tools have given them. */
  ids: string[]
}

export function toStackContent(crash: ScrubbedCrash): StackContent {
  const images = new Map(crash.images.map((image) => [image.uuid, image]))
  const frames = toStackFrames(crash.frames, images)
  const exceptionTypes = crash.exceptions.map(({ type }) => type)
  const content = { kind: crash.kind, exceptionTypes, fingerprint: crash.fingerprint, frames }
  const { package: packageName, shortVersion, version } = crash
  return {
    ...content,
    message: findMessage(crash, frames),
    mapping: toMappingReference(crash, frames),
    ...(frames.some(needsRelease) && { release: { package: packageName, shortVersion, version } }),
  }
}

function needsRelease(frame: StackFrame): boolean {
  return frame.imageUuid === null && toSourceMapKey(frame) !== undefined
}

export function toStackFrames(
  reported: readonly ReportedFrame[],
  images: ReadonlyMap<string | null, CrashImage>,
): StackFrame[] {
  return reported.map((frame): StackFrame => {
    const image = frame.imageUuid === null ? undefined : images.get(frame.imageUuid)
    const { className, methodName, function: name, file, line, imageUuid, imageOffset, module, column } = frame
    const architecture = image?.architecture ?? null
    const isAppImage = image?.isApp ?? null
    return {
      className,
      methodName,
      function: name,
      file,
      line,
      imageUuid,
      imageOffset,
      module,
      isAppImage,
      architecture,
      ...(column !== null && { column }),
      ...(frame.isFileAddress && { isFileAddress: true }),
      ...(frame.isReturnAddress && { isReturnAddress: true }),
      ...(image?.isElf === true && { isElf: true }),
      ...(frame.isJavaScript === true && { isJavaScript: true }),
      ...(frame.dartPlace && { dartPlace: frame.dartPlace }),
      ...(image?.codeId && { codeId: image.codeId }),
      ...((frame.inApp === false || (frame.inApp === true && className === null && module === null)) && {
        inApp: frame.inApp,
      }),
    }
  })
}

/** Hashes the JSON of a `StackContent`, as 64 hexadecimal digits. `toStackContent` fixes the order of its fields. */
export function hashStack(json: string): string {
  return hash('sha256', json, 'hex')
}

/** The message counts only if no frame tells the place, which is decided before the frames are resolved. */
function findMessage(crash: ScrubbedCrash, frames: readonly StackFrame[]): string | null {
  const message = crash.exceptions.at(-1)?.message ?? null
  if (message === null) return null
  const named = frames.flatMap((frame) => {
    const { className, methodName, function: plainName, module } = frame
    const name = className === null ? toFunctionName(frame, plainName) : (methodName ?? plainName)
    if (!isNamedInKeys({ className, name, module, isApp: false })) return []
    return { isApp: isAppFrame(frame), isVague: isVague({ name }) }
  })
  return tellsPlace(named) ? null : blankMessage(message)
}

function toMappingReference(crash: ScrubbedCrash, frames: readonly StackFrame[]): MappingReference | null {
  const hasJavaFrames = frames.some(({ className }) => className !== null)
  // Short names of classes in these languages are none of R8.
  const isForeign = crash.platform === 'dart' || crash.platform === 'javascript'
  if (!hasJavaFrames && (isForeign || crash.exceptions.length === 0)) return null
  if (crash.source === 'apple' || crash.source === 'metrickit') return null
  const mapIds = frames.map(({ file }) => (file === null ? undefined : detectMapId(file)))
  const ids = [...new Set([...crash.mappingIds, ...mapIds])].filter((id) => id !== undefined)
  return { ids, package: crash.package, shortVersion: crash.shortVersion, version: crash.version }
}
