/** Reads a stack with the symbols that are there: source frames, and the key of its group. */
import { createHash } from 'node:crypto'
import { requireAt } from '@fairlead/invariant'
import {
  demangle,
  hideArtificial,
  type Lookup,
  type Mapping,
  type ObfuscationMap,
  retrace,
  type SourceMap,
  type SymbolicatedFrame,
} from '@fairlead/symbols'
import { isAppFrame, listOwnPackages } from '../grouping/app-frames.ts'
import { type GroupedFrame, isVague } from '../grouping/frame-name.ts'
import { findRule, type FrameRule } from '../grouping/frame-rules.ts'
import { type GroupKey, groupingVersion, toGroupKey } from '../grouping/group-key.ts'
import { maxAlternatives } from '../limits.ts'
import { findSourceName, isBuiltIn, toFunctionName } from './function-name.ts'
import { type FrameWithSource, resolveJavaScript, toJavaScriptFrame } from './resolve-javascript.ts'
import { toSourceName } from './source-name.ts'
import type { StackContent, StackFrame } from './stack-content.ts'

export interface OpenSymbols {
  /** Lookup files by the UUID of their image, in lower case. */
  lookups: ReadonlyMap<string, Lookup>
  /** The app's own mapping, then the mappings of the libraries that it was built with. */
  mappings: readonly Mapping[]
  /** What the builds of Dart snapshots in the stack call the classes of exceptions. */
  dartMaps?: readonly ObfuscationMap[]
  /** Source maps by the bundle that they are of, as `toSourceMapKey` names it. */
  sourceMaps?: ReadonlyMap<string, SourceMap>
}

export interface ResolvedFrame extends FrameWithSource {
  className: string | null
  isApp: boolean
  /** The place of the reported frame in the stack; null for inlined frames. */
  reported: number | null
}

export interface ResolvedStack {
  /** Outermost first. */
  exceptionTypes: string[]
  frames: ResolvedFrame[]
  key: GroupKey
  /** 64 hexadecimal digits. */
  keyHash: string
}

/** The rules and names by which a frame is found to be of the application or of a library. */
export interface FrameOwner {
  rules: readonly FrameRule[]
  /** Identifiers of the application, whose parents are its own as well. */
  identifiers: readonly string[]
  /** Packages of its own code, whose parents may be those of libraries. */
  ownPackages?: readonly string[]
}

export function resolveStack(content: StackContent, symbols: OpenSymbols, owner: FrameOwner): ResolvedStack {
  const ownPackages = [
    ...listOwnPackages([...owner.identifiers, content.mapping?.package ?? null]),
    ...(owner.ownPackages ?? []).map((name) => `${name}.`),
  ]
  const native = resolveNative(content.frames, symbols)
  const java = resolveJava(content, symbols.mappings)
  const scripts = resolveJavaScript(content.frames, symbols.sourceMaps ?? new Map())
  const resolved = content.frames.flatMap((frame, place) => {
    const found = scripts.get(place) ?? (frame.className === null ? native.get(place) : java.get(place))
    const isKnown = frame.imageUuid !== null && symbols.lookups.has(frame.imageUuid)
    const own = isBuiltIn(frame, content.frames[place + 1]) ? { ...frame, file: null, inApp: false } : frame
    const sourceName = scripts.has(place) ? toSourceName(found?.[0]?.file ?? '') : findSourceName(own)
    return (found ?? [toReportedFrame(frame)]).map((one) => withPlace(one, own, { place, isKnown, sourceName }))
  })
  const judged = resolved.map((frame) => judge(frame, owner.rules, ownPackages))
  const exceptionTypes = content.exceptionTypes.map((type) => restoreClass(type, symbols))
  const key = toGroupKey({
    kind: content.kind,
    exceptions: exceptionTypes.map((type, place) => ({
      type,
      message: place === exceptionTypes.length - 1 ? content.message : null,
    })),
    frames: judged.map(({ grouped }) => grouped),
    fingerprint: content.fingerprint,
  })
  return { exceptionTypes, frames: judged.map(({ frame }) => frame), key, keyHash: hashKey(key.lines) }
}

function hashKey(lines: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([groupingVersion, ...lines]))
    .digest('hex')
}

/** The frames at each place, innermost first; only places whose image has symbols that know the offset. */
function resolveNative(frames: readonly StackFrame[], { lookups }: OpenSymbols): Map<number, SymbolicatedFrame[]> {
  const resolved = new Map<number, SymbolicatedFrame[]>()
  const placed = frames
    .map((frame, place) => ({ frame, place }))
    .filter(({ frame }) => frame.imageOffset !== null || frame.dartPlace)
  for (const [uuid, inImage] of Map.groupBy(placed, ({ frame }) => frame.imageUuid)) {
    const lookup = uuid === null ? undefined : lookups.get(uuid)
    if (!lookup) continue
    const answers = lookup.findFramesOf(inImage.map((one) => toCodeOffset(one, lookup)))
    for (const [index, { frame, place }] of inImage.entries()) {
      const all = requireAt(answers, index)
      const found = lookup.isDart ? hideArtificial(all) : all
      if (found.length === 0) continue
      resolved.set(
        place,
        found.map(({ function: name = null, file = null, line = null, column = null, inlined }) => {
          return { ...toReportedFrame(frame), function: name, file, line, column: column || null, inlined }
        }),
      )
    }
  }
  return resolved
}

/**
 * The offset to look up. All but the innermost frame, and in the backtrace of an exception that one too, hold a return
 * address, which lies behind the call, and behind the whole function if the call was its last instruction, so the byte
 * before it is looked up.
 */
function toCodeOffset({ frame, place }: { frame: StackFrame; place: number }, lookup: Lookup): number {
  const offset = frame.imageOffset ?? 0
  if (frame.dartPlace) {
    const start = lookup.dart[frame.dartPlace.section]
    return start === undefined ? -1 : start + frame.dartPlace.offset
  }
  if (frame.isFileAddress === true) {
    // Functions in Thumb instructions of ARM have odd addresses, whose code is even.
    return offset - lookup.textAddress - (lookup.architecture === 'arm' ? offset % 2 : 0)
  }
  // The virtual machine of Dart has taken one off its return addresses already.
  const isReturnAddress = place > 0 || frame.isReturnAddress === true
  return isReturnAddress && offset > 0 && !lookup.isDart ? offset - 1 : offset
}

function resolveJava(content: StackContent, mappings: readonly Mapping[]): Map<number, SymbolicatedFrame[]> {
  const resolved = new Map<number, SymbolicatedFrame[]>()
  const named = [...content.frames.entries()].filter(([, { className }]) => className !== null)
  if (mappings.length === 0 || named.length === 0) return resolved
  const lines = named.map(([, frame]) => `\t${toJavaLine(frame)}`)
  const { threads } = retrace([content.exceptionTypes.at(-1) ?? '', ...lines].join('\n'), mappings)
  const frames = threads.flatMap((thread) => thread.frames)
  let at = 0
  for (const [index, [place]] of named.entries()) {
    const own: SymbolicatedFrame[] = []
    // One line may give several frames: each inlined frame is followed by the frame that it was inlined into.
    for (let frame = frames[at]; frame !== undefined && frame.raw === lines[index]; frame = frames[at]) {
      at++
      own.push({ ...frame, raw: frame.raw.trim(), alternatives: frame.alternatives.slice(0, maxAlternatives) })
      if (!frame.inlined) break
    }
    if (own.length > 0) resolved.set(place, own)
  }
  return resolved
}

function toJavaLine({ className, methodName, file, line }: StackFrame): string {
  const place = file === null ? (line === null ? 'Unknown Source' : `SourceFile:${line}`) : toPlace(file, line)
  return `at ${className}.${methodName ?? 'unknown'}(${place})`.replace(/[\r\n]/g, ' ')
}

function toPlace(file: string, line: number | null): string {
  return line === null ? file : `${file}:${line}`
}

function toReportedFrame(frame: StackFrame): SymbolicatedFrame {
  if (frame.isJavaScript === true) return toJavaScriptFrame(frame)
  const { className, methodName, function: name, file, line, module, imageOffset } = frame
  const isJava = className !== null
  const javaName = methodName === null ? className : `${className}.${methodName}`
  const isNamed = name !== null && name !== '<redacted>'
  const shown = isJava ? javaName : isNamed ? demangle(name) : null
  const place = imageOffset === null ? '' : ` + 0x${imageOffset.toString(16)}`
  return {
    function: shown,
    file,
    line,
    column: frame.column ?? null,
    module,
    address: null,
    inlined: false,
    alternatives: [],
    raw: isJava ? toJavaLine(frame) : `${module ?? '???'}${place}${name === null ? '' : ` ${name}`}`,
  }
}

function withPlace(
  frame: SymbolicatedFrame,
  { className, isAppImage, inApp, isJavaScript }: StackFrame,
  { place, isKnown, sourceName }: { place: number; isKnown: boolean; sourceName: string | null },
): PlacedFrame {
  const dot = frame.function?.lastIndexOf('.') ?? -1
  const ownClass = className === null ? null : dot > 0 ? (frame.function?.slice(0, dot) ?? className) : className
  // Nobody uploads the symbols of the system, so an image with symbols belongs to the app.
  const isOfApp = isKnown ? true : isAppImage
  return {
    ...frame,
    className: ownClass,
    isApp: false,
    reported: frame.inlined ? null : place,
    isAppImage: isOfApp,
    inApp,
    sourceName,
    functionName: ownClass === null ? toFunctionName({ isJavaScript, line: frame.line }, frame.function) : null,
  }
}

type PlacedFrame = ResolvedFrame & {
  isAppImage: boolean | null
  inApp: boolean | undefined
  /** What stands for the class of a frame that has none. */
  sourceName: string | null
  /** What its function is called in keys; null for a method of a class. */
  functionName: string | null
}

function judge(
  { isAppImage, inApp, sourceName, functionName, sourceFunction, ...frame }: PlacedFrame,
  rules: readonly FrameRule[],
  ownPackages: readonly string[],
): { frame: ResolvedFrame; grouped: GroupedFrame } {
  const { className, module, file } = frame
  const shown = toShownName(frame.function, sourceFunction)
  const rule = findRule(rules, [frame.function, shown, className, className === null ? module : null])
  const place = { className, function: frame.function, module, isAppImage, inApp, file }
  const isApp = rule ? rule.kind === 'app' : isAppFrame(place, ownPackages)
  const name = className === null ? functionName : (frame.function?.slice(className.length + 1) ?? null)
  const named = { className, name: name === '' ? null : name, module, isApp, isSkipped: rule?.kind === 'skip' }
  // The name of a bundle changes with each build, and one name of a function is in many sources.
  const grouped =
    sourceName === null ? named : { ...named, name: sourceFunction ?? named.name, className: sourceName, module: null }
  return { frame: { ...frame, function: shown, isApp }, grouped }
}

/**
 * A minifier's name of a function gives way to that in the source. The engine's name stays where it says more, as
 * `Cart.pay` does of `pay`, and where the function has none: the source then only names the function around it.
 */
function toShownName(reported: string | null, inSource: string | undefined): string | null {
  if (reported === null || inSource === undefined || isVague({ name: reported })) return reported
  return reported.split(/[. ]/).at(-1) === inSource ? reported : inSource
}

/** The name of an exception's class as it stands in the source. */
function restoreClass(type: string, { mappings, dartMaps = [] }: OpenSymbols): string {
  let name = type
  for (const mapping of mappings) name = mapping.findClasses(name)[0]?.original ?? name
  for (const map of dartMaps) name = map.restoreWords(name)
  return name
}
