/**
 * Restores a frame of the obfuscated program to frames of the source, as R8's retrace does. A frame may have several
 * alternatives, each of which is an inline stack, innermost frame first.
 */
import type { Mapping } from '../index/mapping.ts'
import type { ClassMapping } from '../mapping/class-mapping.ts'
import type { LineRange, Signature } from '../mapping/member-line.ts'
import { areSameRange, type MappedRange, type Member } from '../members/member-mapping.ts'
import { narrowByLine, partitionByMethod, type MethodPart } from './method-part.ts'
import { emptyContext, type TraceContext } from './trace-context.ts'

/** A method of the source. */
export interface SourceMethod {
  readonly className: string
  readonly name: string
  readonly signature: Signature
  /** `undefined` if the mapping does not tell the line. */
  readonly line: number | undefined
}

interface FrameAlternative {
  /** Innermost first; empty if the compiler generated all of them. */
  readonly frames: readonly SourceMethod[]
  readonly context: TraceContext
}

export interface FrameAlternatives {
  readonly alternatives: readonly FrameAlternative[]
  readonly isAmbiguous: boolean
  /** Whether the result would be the same after any other exception, or after none. */
  readonly isIndependent: boolean
}

/** The number of alternatives of a frame that are computed. */
const maxAlternatives = 32_768
/** The number of frames of an alternative that are kept. */
const maxFrames = 512

/**
 * Finds the alternatives of the method `obfuscated` of `owner` at `line`; `undefined` or a value below 1 means that the
 * line is not known. Returns `undefined` if the mapping does not know the method or has no range for the line.
 */
export function retraceFrame(
  mapping: Mapping,
  owner: ClassMapping,
  obfuscated: string,
  line: number | undefined,
  context: TraceContext,
): FrameAlternatives | undefined {
  const narrowed = narrow(mapping, owner, obfuscated, line, context)
  if (!narrowed) return undefined
  const isAmbiguous = isAmbiguousNarrowing(narrowed.parts)
  const reader = { mapping, owner, line: narrowed.line, context, isAmbiguous }
  const alternatives: FrameAlternative[] = []
  for (const part of narrowed.parts) {
    for (const stack of splitStacks(part, isAmbiguous)) {
      if (alternatives.length === maxAlternatives) break
      alternatives.push(readStack(reader, part.member, stack))
    }
  }
  const isIndependent = narrowed.parts.every(({ ranges }) => ranges.every(({ rewrite }) => rewrite === undefined))
  return { alternatives, isAmbiguous, isIndependent }
}

function narrow(
  mapping: Mapping,
  owner: ClassMapping,
  obfuscated: string,
  line: number | undefined,
  { outlineLine }: TraceContext,
): { parts: readonly MethodPart[]; line: number | undefined } | undefined {
  if (line !== undefined && line > 0 && outlineLine === undefined) {
    const ranges = mapping.findRangesFast(owner, obfuscated, line)
    if (ranges) return { parts: [{ member: undefined, ranges }], line }
  }
  const members = mapping.readMembers(owner, obfuscated)
  return members.ranges.length === 0 ? undefined : narrowByLine(partitionByMethod(members), line, outlineLine)
}

function isAmbiguousNarrowing(parts: readonly MethodPart[]): boolean {
  const [only] = parts
  if (parts.length !== 1 || !only) return parts.length > 1
  const [first] = only.ranges
  return only.ranges.some(
    (range) =>
      isAmbiguousRange(range) ||
      (range !== first && (range.minified === undefined || !areSameRange(range.minified, first?.minified))),
  )
}

/** Whether a line of the obfuscated program stands for several lines of the source. */
function isAmbiguousRange({ minified, original }: MappedRange): boolean {
  if (!original || spanOf(original) === 1) return false
  return minified === undefined || spanOf(minified) !== spanOf(original)
}

function spanOf({ from, to, cardinal }: LineRange): number {
  return cardinal ? 1 : to - from + 1
}

/** A range, and its line in the source if there is only one. */
interface StackEntry {
  readonly range: MappedRange
  readonly line: number | undefined
}

/**
 * Returns one stack for each run of ranges with the same lines. If the source line is ambiguous, returns one for each.
 */
function splitStacks({ ranges }: MethodPart, isAmbiguous: boolean): StackEntry[][] {
  const stacks: StackEntry[][] = []
  let start = 0
  while (start < ranges.length && stacks.length < maxAlternatives) {
    const first = ranges[start]
    if (!first) break
    let end = start + 1
    while (end < ranges.length && first.minified && areSameRange(first.minified, ranges[end]?.minified)) end++
    const stack = ranges.slice(start, end).map((range) => ({ range, line: onlyLineOf(range) }))
    const { original } = first
    if (!isAmbiguous || !original || !isAmbiguousRange(first)) stacks.push(stack)
    else {
      const last = Math.min(original.to, original.from + Math.ceil(maxAlternatives / stack.length))
      for (let line = original.from; line <= last; line++) stacks.push([{ range: first, line }, ...stack.slice(1)])
    }
    start = end
  }
  return stacks
}

function onlyLineOf({ original }: MappedRange): number | undefined {
  return original && spanOf(original) === 1 ? original.from : undefined
}

interface FrameReader {
  readonly mapping: Mapping
  readonly owner: ClassMapping
  readonly line: number | undefined
  readonly context: TraceContext
  readonly isAmbiguous: boolean
}

function readStack(reader: FrameReader, member: Member | undefined, stack: readonly StackEntry[]): FrameAlternative {
  const outermost = stack.at(-1)?.range
  const isSynthesized = member ? member.synthesized || member.outline : outermost?.synthesized || outermost?.outline
  const isOutline = (member ?? outermost)?.outline === true
  let remove = countRemovedFrames(reader, stack)
  const frames: SourceMethod[] = []
  for (const entry of stack) {
    if (remove > 0) remove--
    else if (!(entry.range === outermost && isSynthesized) && frames.length < maxFrames) {
      frames.push(readMethod(reader, entry))
    }
  }
  if (stack.length > maxFrames)
    reader.mapping.warn(`A frame has ${stack.length} inlined frames; only ${maxFrames} of them are kept.`)
  const { line } = reader
  return { frames, context: isOutline && line !== undefined ? { outlineLine: line } : emptyContext }
}

/** The number of inner frames that the rules for the thrown exception remove. */
function countRemovedFrames({ mapping, context }: FrameReader, stack: readonly StackEntry[]): number {
  let count = 0
  for (const { range } of stack) {
    const { rewrite } = range
    if (rewrite?.thrown.every((name) => name === context.thrown)) count += rewrite.removeInnerFrames
  }
  if (count <= stack.length) return Math.max(count, 0)
  mapping.warn(`A rewriteFrame rule removes ${count} of ${stack.length} frames; it was ignored.`)
  return 0
}

function readMethod(reader: FrameReader, { range, line: onlyLine }: StackEntry): SourceMethod {
  const { signature } = range
  const dot = signature.name.lastIndexOf('.')
  return {
    className: dot === -1 ? reader.owner.original : signature.name.slice(0, dot),
    name: signature.name.slice(dot + 1),
    signature,
    line: onlyLine ?? toSourceLine(reader, range),
  }
}

function toSourceLine({ line, isAmbiguous }: FrameReader, { minified, original }: MappedRange): number | undefined {
  if (!isAmbiguous && (minified === undefined || line === undefined || line === -1)) {
    const first = original?.from ?? minified?.from ?? 0
    return first > 0 ? first : undefined
  }
  if (line === undefined || !minified || line < minified.from || line > minified.to) return undefined
  return original ? original.from + line - minified.from : line
}
