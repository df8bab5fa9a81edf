/** One line of a trace, restored through one mapping. */
import type { ClassMapping } from './class-mapping.ts'
import { findHiddenException } from './hidden-exception.ts'
import type { Mapping } from './mapping.ts'
import { compareReadings, keyOfReading } from './reading-order.ts'
import { lineNumberOf, type RestoredLine, textOf } from './restored-line.ts'
import { emptyContext, retraceFrame, type SourceMethod, type TraceContext } from './retrace-frame.ts'
import { inferSourceFile } from './source-file.ts'
import type { TraceLine } from './trace-line.ts'

/** What may stand in place of a line: the frames that it stands for, innermost first. */
export type Reading = readonly RestoredLine[]

export interface RetracedLine {
  /** The line whose parts the readings restore: the one given, or another cut of the same text. */
  readonly source: TraceLine
  /** The likeliest first. None where all of the line was made by the compiler. */
  readonly readings: readonly Reading[]
  /** Whether the mapping knows the class. */
  readonly isKnown: boolean
  /** What the line tells about the next. */
  readonly context: TraceContext
}

interface Candidate {
  readonly lines: Reading
  readonly context: TraceContext
}

/** Restores a line; `context` is what the lines before it told. */
export function retraceLine(
  source: TraceLine,
  mapping: Mapping,
  context: TraceContext,
  isVerbose: boolean,
): RetracedLine {
  const className = textOf(source, 'class') ?? textOf(source, 'binaryClass')?.replaceAll('/', '.')
  const types = retraceTypes(source, mapping)
  if (className === undefined) {
    return { source, readings: [[{ className, ...types, isAmbiguous: false }]], isKnown: false, context }
  }
  const line: LineOfClass = { source, mapping, context, className, classes: mapping.findClasses(className), types }
  const methodName = textOf(source, 'method')
  if (methodName !== undefined) return order(line, retraceMethod(line, methodName), isVerbose)
  const fieldName = textOf(source, 'field')
  if (fieldName !== undefined) return order(line, retraceField(line, fieldName), isVerbose)
  if (line.classes.length === 0) {
    const hidden = findHiddenException(source, (name) => mapping.findClasses(name).length > 0)
    if (hidden) return retraceLine(hidden, mapping, context, isVerbose)
  }
  const thrown = { thrown: className }
  return order(
    line,
    toCandidates(line, (it) => ({ lines: [restoreClass(line, it)], context: thrown })),
    isVerbose,
  )
}

interface LineOfClass {
  readonly source: TraceLine
  readonly mapping: Mapping
  readonly context: TraceContext
  readonly className: string
  readonly classes: readonly ClassMapping[]
  readonly types: Pick<RestoredLine, 'type' | 'arguments'>
}

/** A candidate for each class, or for the name itself where the mapping does not know it. */
function toCandidates(line: LineOfClass, toCandidate: (owner: ClassMapping | undefined) => Candidate): Candidate[] {
  return line.classes.length === 0 ? [toCandidate(undefined)] : line.classes.map(toCandidate)
}

function retraceMethod(line: LineOfClass, name: string): Candidate[] {
  const lineNumber = lineNumberOf(line.source)
  const candidates: Candidate[] = []
  for (const owner of line.classes) {
    const frame = retraceFrame(line.mapping, owner, name, lineNumber, line.context)
    for (const { frames, context } of frame?.readings ?? []) {
      const isAmbiguous = frame?.isAmbiguous === true || line.classes.length > 1
      candidates.push({ lines: frames.map((it) => restoreMethod(line, it, lineNumber, isAmbiguous)), context })
    }
  }
  if (candidates.length > 0) return candidates
  return toCandidates(line, (owner) => ({
    lines: [{ ...restoreClass(line, owner), lineNumber }],
    context: line.context,
  }))
}

function restoreMethod(
  line: LineOfClass,
  method: SourceMethod,
  lineNumber: number | undefined,
  isAmbiguous: boolean,
): RestoredLine {
  return {
    className: method.className,
    method,
    ...line.types,
    ...restoreFile(line, method.className, true),
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
      const restored = { className, field, ...line.types, ...restoreFile(line, className, true), isAmbiguous }
      candidates.push({ lines: [restored], context: line.context })
    }
  }
  if (candidates.length > 0) return candidates
  return toCandidates(line, (owner) => ({ lines: [restoreClass(line, owner)], context: line.context }))
}

function restoreClass(line: LineOfClass, owner: ClassMapping | undefined): RestoredLine {
  const className = owner?.original ?? line.className
  const file = restoreFile(line, className, owner !== undefined)
  return { className, ...line.types, ...file, isAmbiguous: line.classes.length > 1 }
}

function restoreFile({ source, mapping }: LineOfClass, className: string, isKnown: boolean): { fileName?: string } {
  const before = textOf(source, 'file')
  if (before === undefined) return {}
  return { fileName: mapping.findSourceFile(className) ?? (isKnown ? inferSourceFile(className, before) : before) }
}

function retraceTypes(source: TraceLine, mapping: Mapping): Pick<RestoredLine, 'type' | 'arguments'> {
  const type = textOf(source, 'type')
  const types = textOf(source, 'arguments')
  return {
    ...(type !== undefined && { type: retraceType(mapping, type) }),
    ...(types !== undefined && {
      arguments: types.trim() === '' ? [] : types.split(',').map((it) => retraceType(mapping, it.trim())),
    }),
  }
}

function retraceType(mapping: Mapping, type: string): string {
  const bracket = type.indexOf('[')
  const end = bracket === -1 ? type.length : bracket
  return (mapping.findClasses(type.slice(0, end))[0]?.original ?? type.slice(0, end)) + type.slice(end)
}

/** Drops readings that are the same, and sorts the others. */
function order({ source, classes }: LineOfClass, candidates: readonly Candidate[], isVerbose: boolean): RetracedLine {
  const isKnown = classes.length > 0
  const [only] = candidates
  if (candidates.length === 1 && only) {
    return { source, readings: only.lines.length > 0 ? [only.lines] : [], isKnown, context: only.context }
  }
  const different = dropEqual(source, candidates, isVerbose)
  // Two readings that tell different things about the next line tell nothing.
  const told = different.length === 0 ? candidates.at(-1) : different[0]?.candidate
  return {
    source,
    readings: different
      .toSorted((one, other) => compareReadings(one.first, other.first))
      .map((it) => it.candidate.lines),
    isKnown,
    context: different.length > 1 ? emptyContext : (told?.context ?? emptyContext),
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
    const key = keyOfReading(first, lineNumber, isVerbose)
    if (key !== undefined && seen.has(key)) continue
    if (key !== undefined) seen.add(key)
    different.push({ first, candidate })
  }
  return different
}
