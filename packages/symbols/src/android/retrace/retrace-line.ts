/** Restores one line of a trace with one mapping. */
import type { Mapping } from '../index/mapping.ts'
import type { ClassMapping } from '../mapping/class-mapping.ts'
import { inferSourceFile } from '../trace/source-file.ts'
import type { TraceLine } from '../trace/trace-line.ts'
import { compareAlternatives, keyOfAlternative } from './alternative-order.ts'
import { lineNumberOf, type RestoredLine, type RestoredTypes, textOf } from './restored-line.ts'
import { retraceFrame, type SourceMethod } from './retrace-frame.ts'
import { emptyContext, type TraceContext } from './trace-context.ts'

/** The frames that may replace a line, innermost first. */
type Alternative = readonly RestoredLine[]

export interface RetracedLine {
  /** The likeliest first; empty if the compiler generated all of the line. */
  readonly alternatives: readonly Alternative[]
  /** Whether the mapping knows the class. */
  readonly isKnown: boolean
  /** The context for the next line. */
  readonly context: TraceContext
  /** Whether the result would be the same in any other context except that of an outline. */
  readonly isIndependent: boolean
}

interface Candidate {
  readonly lines: Alternative
  readonly context: TraceContext
  readonly isIndependent: boolean
}

/** Restores a line. `context` is what the preceding lines gave. */
export function retraceLine(
  source: TraceLine,
  mapping: Mapping,
  context: TraceContext,
  isVerbose: boolean,
): RetracedLine {
  const className = textOf(source, 'class') ?? textOf(source, 'binaryClass')?.replaceAll('/', '.')
  const types = retraceTypes(source, mapping)
  if (className === undefined) {
    return { alternatives: [[{ className, types, isAmbiguous: false }]], isKnown: false, context, isIndependent: false }
  }
  const line: LineOfClass = { source, mapping, context, className, classes: mapping.findClasses(className), types }
  const methodName = textOf(source, 'method')
  if (methodName !== undefined) return order(line, retraceMethod(line, methodName), isVerbose)
  const fieldName = textOf(source, 'field')
  if (fieldName !== undefined) return order(line, retraceField(line, fieldName), isVerbose)
  const thrown = { thrown: className }
  return order(
    line,
    toCandidates(line, (it) => ({ lines: [restoreClass(line, it)], context: thrown, isIndependent: true })),
    isVerbose,
  )
}

interface LineOfClass {
  readonly source: TraceLine
  readonly mapping: Mapping
  readonly context: TraceContext
  readonly className: string
  readonly classes: readonly ClassMapping[]
  readonly types: RestoredTypes | undefined
}

/** Returns a candidate for each class, or one for the obfuscated name if the mapping does not know it. */
function toCandidates(line: LineOfClass, toCandidate: (owner: ClassMapping | undefined) => Candidate): Candidate[] {
  return line.classes.length === 0 ? [toCandidate(undefined)] : line.classes.map(toCandidate)
}

function retraceMethod(line: LineOfClass, name: string): Candidate[] {
  const lineNumber = lineNumberOf(line.source)
  const candidates: Candidate[] = []
  for (const owner of line.classes) {
    const frame = retraceFrame(line.mapping, owner, name, lineNumber, line.context)
    if (!frame) continue
    const isAmbiguous = frame.isAmbiguous || line.classes.length > 1
    const { isIndependent } = frame
    for (const { frames, context } of frame.alternatives) {
      const lines = frames.map((it) => restoreMethod(line, owner, it, lineNumber, isAmbiguous))
      candidates.push({ lines, context, isIndependent })
    }
  }
  if (candidates.length > 0) return candidates
  return toCandidates(line, (owner) => ({
    lines: [{ ...restoreClass(line, owner), lineNumber }],
    context: line.context,
    isIndependent: false,
  }))
}

function restoreMethod(
  line: LineOfClass,
  owner: ClassMapping,
  method: SourceMethod,
  lineNumber: number | undefined,
  isAmbiguous: boolean,
): RestoredLine {
  const { className } = method
  return {
    className,
    method,
    types: line.types,
    fileName: restoreFile(line, className, owner),
    lineNumber: lineNumber === undefined ? undefined : (method.line ?? lineNumber),
    isAmbiguous,
  }
}

function retraceField(line: LineOfClass, name: string): Candidate[] {
  const candidates: Candidate[] = []
  for (const owner of line.classes) {
    const { fields } = line.mapping.readMembers(owner, name)
    for (const { signature } of fields) {
      const dot = signature.name.lastIndexOf('.')
      const className = dot === -1 ? owner.original : signature.name.slice(0, dot)
      const field = { name: signature.name.slice(dot + 1), type: signature.type }
      const isAmbiguous = fields.length > 1
      const restored = {
        className,
        field,
        types: line.types,
        fileName: restoreFile(line, className, owner),
        isAmbiguous,
      }
      candidates.push({ lines: [restored], context: line.context, isIndependent: false })
    }
  }
  if (candidates.length > 0) return candidates
  return toCandidates(line, (owner) => ({
    lines: [restoreClass(line, owner)],
    context: line.context,
    isIndependent: false,
  }))
}

function restoreClass(line: LineOfClass, owner: ClassMapping | undefined): RestoredLine {
  const className = owner?.original ?? line.className
  const isAmbiguous = line.classes.length > 1
  return { className, types: line.types, fileName: restoreFile(line, className, owner), isAmbiguous }
}

/** The source file of a class that was found through `owner`. A name that the mapping does not know keeps its file. */
function restoreFile(
  { source, mapping }: LineOfClass,
  className: string,
  owner: ClassMapping | undefined,
): string | undefined {
  const obfuscated = textOf(source, 'file')
  if (obfuscated === undefined) return undefined
  const known = owner?.original === className ? owner.fileName : undefined
  return known ?? mapping.findSourceFile(className) ?? (owner ? inferSourceFile(className, obfuscated) : obfuscated)
}

function retraceTypes(source: TraceLine, mapping: Mapping): RestoredTypes | undefined {
  const type = textOf(source, 'type')
  const types = textOf(source, 'arguments')
  if (type === undefined && types === undefined) return undefined
  return {
    type: type === undefined ? undefined : retraceType(mapping, type),
    arguments: types?.trim() === '' ? [] : types?.split(',').map((it) => retraceType(mapping, it.trim())),
  }
}

function retraceType(mapping: Mapping, type: string): string {
  const bracket = type.indexOf('[')
  const end = bracket === -1 ? type.length : bracket
  return (mapping.findClasses(type.slice(0, end))[0]?.original ?? type.slice(0, end)) + type.slice(end)
}

/** Drops equal alternatives and sorts the others. */
function order({ source, classes }: LineOfClass, candidates: readonly Candidate[], isVerbose: boolean): RetracedLine {
  const isKnown = classes.length > 0
  const isIndependent = candidates.every((it) => it.isIndependent)
  const [only] = candidates
  if (candidates.length === 1 && only) {
    return { alternatives: only.lines.length > 0 ? [only.lines] : [], isKnown, context: only.context, isIndependent }
  }
  const different = dropEqual(source, candidates, isVerbose)
  // Alternatives that give different contexts give none.
  const chosen = different.length === 0 ? candidates.at(-1) : different[0]?.candidate
  return {
    alternatives: different
      .toSorted((one, other) => compareAlternatives(one.first, other.first))
      .map((it) => it.candidate.lines),
    isKnown,
    isIndependent,
    context: different.length > 1 ? emptyContext : (chosen?.context ?? emptyContext),
  }
}

function dropEqual(
  source: TraceLine,
  candidates: readonly Candidate[],
  isVerbose: boolean,
): { first: RestoredLine; candidate: Candidate }[] {
  const lineNumber = lineNumberOf(source)
  const seen = new Set<string>()
  const different: { first: RestoredLine; candidate: Candidate }[] = []
  for (const candidate of candidates) {
    const [first] = candidate.lines
    if (!first) continue
    const key = keyOfAlternative(first, lineNumber, isVerbose)
    if (key !== undefined && seen.has(key)) continue
    if (key !== undefined) seen.add(key)
    different.push({ first, candidate })
  }
  return different
}
