/** Lists the symbols that are needed to resolve a stack. */
import { toDebugId } from '@fairlead/symbols'
import { isAppFrame } from '../grouping/app-frames.ts'
import { listSourceMapNeeds, type SourceMapNeed } from './source-map-needs.ts'
import type { MappingReference, StackContent, StackFrame } from './stack-content.ts'

export interface SymbolNeeds {
  images: ImageNeed[]
  /** Images of the app that the report names without an id, so that no symbols can be found for them. */
  unknownImages: UnknownImage[]
  mapping: (MappingReference & { isNeeded: boolean }) | null
  sourceMaps: SourceMapNeed[]
}

export interface ImageNeed {
  /** Lower case with hyphens. */
  uuid: string
  name: string | null
  kind: 'dsym' | 'elf'
  /** The id that symbols have: that of the build id, if the report tells it, because it decides. */
  debugId: string
  /** The build id of an ELF file in hexadecimal. */
  codeId: string | null
  /** False for images of the system, whose symbols nobody can upload. */
  isNeeded: boolean
}

export interface UnknownImage {
  name: string
  kind: 'dsym' | 'elf'
}

export function listNeeds(content: StackContent): SymbolNeeds {
  const { frames, mapping, exceptionTypes } = content
  const images = new Map<string, ImageNeed>()
  for (const frame of frames) {
    if (frame.imageUuid === null || (frame.imageOffset === null && !frame.dartPlace)) continue
    const known = images.get(frame.imageUuid)
    const isNeeded = known?.isNeeded === true || isUnread(frame)
    const { imageUuid: uuid, module: name, isElf, codeId = null } = frame
    const debugId = codeId === null ? uuid : toDebugId(Buffer.from(codeId, 'hex')).toLowerCase()
    images.set(uuid, { uuid, name, kind: isElf === true ? 'elf' : 'dsym', debugId, codeId, isNeeded })
  }
  const isRenamed = frames.some(looksRenamed) || exceptionTypes.some((type) => /(^|\.)[a-z]\w{0,2}$/.test(type))
  const isNeeded = mapping !== null && (mapping.ids.length > 0 || (isRenamed && !frames.some(isOfOtherLanguage)))
  return {
    images: [...images.values()],
    unknownImages: listUnknownImages(frames),
    mapping: mapping && { ...mapping, isNeeded },
    sourceMaps: listSourceMapNeeds(content),
  }
}

/** The names of shared libraries, and of APK files that libraries are loaded from without being unpacked. */
const elfName = /\.(so|apk)\b/

/** What stands for the name of an image that the report does not give. */
const namelessImage = 'an image without a name'

/** Without a build id in the binary, a report gives only the name of the library and an address, or that alone. */
function listUnknownImages(frames: readonly StackFrame[]): UnknownImage[] {
  const unknown = new Map<string, UnknownImage>()
  const toKind = (isElf: boolean) => (isElf ? 'elf' : 'dsym')
  for (const frame of frames) {
    const { imageUuid, module, className, isJavaScript } = frame
    if (imageUuid !== null || module === null || className !== null || isJavaScript === true) continue
    if (isUnread(frame)) unknown.set(module, { name: module, kind: toKind(elfName.test(module)) })
  }
  // At its outer end a stack often has addresses that the unwinder took for frames and that lie in no image, unless the
  // sender says that they are the app's.
  const outermost = frames.findLastIndex((frame) => !isNameless(frame) || frame.inApp === true)
  if ((outermost < 0 ? frames : frames.slice(0, outermost + 1)).some(isNameless)) {
    const isElf = frames.some((frame) => frame.isElf === true || elfName.test(frame.module ?? ''))
    unknown.set(namelessImage, { name: namelessImage, kind: toKind(isElf) })
  }
  return [...unknown.values()]
}

/** Whether a frame has an address alone. */
function isNameless({ className, function: name, module, imageUuid, isJavaScript, file, inApp }: StackFrame): boolean {
  const isNamed = className !== null || name !== null || module !== null || imageUuid !== null || file !== null
  return !isNamed && isJavaScript !== true && inApp !== false
}

/** MetricKit gives no paths of images, so that only their names tell those of the system. */
function isUnread(frame: StackFrame): boolean {
  if (frame.isAppImage !== null) return frame.isAppImage
  return frame.function === null && (frame.module === null || isAppFrame(frame))
}

/**
 * Recognizes names of R8, which writes one placeholder for all source files, and names of up to three letters. A class
 * of three letters may have its own name, but then its report has a source file of Java or Kotlin as well.
 */
function looksRenamed({ className, methodName, file }: StackFrame): boolean {
  if (className === null) return false
  if (file === 'SourceFile' || file?.startsWith('r8-map-id-') === true) return true
  if (/^[a-z]\w?$/.test(methodName ?? '') && /(^|\.)[a-zA-Z]\w?$/.test(className)) return true
  if (file !== null && file.includes('.')) return false
  return /(^|[.$])[a-z]\w{0,2}$/.test(className) && (/^[a-z]\w{0,2}$/.test(methodName ?? '') || isOverride(methodName))
}

/** Whether a method may have kept its name because a class of the platform or of Kotlin has it. */
function isOverride(methodName: string | null): boolean {
  return /^(?:<init>|<clinit>|run|call|invoke|invokeSuspend|on[A-Z]\w*)$/.test(methodName ?? '')
}

/** R8 renames programs of the Java virtual machine only. A module of Python, too, may have a short name. */
function isOfOtherLanguage({ className, file }: StackFrame): boolean {
  const ending = /\.(\w{1,10})$/.exec(file ?? '')?.[1]
  return className !== null && ending !== undefined && !/^(?:java|kts?|scala|groovy|clj)$/.test(ending)
}
