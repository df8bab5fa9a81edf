/**
 * The commonest lines of a trace, restored from text to text: a frame with a line number, of one class that the mapping
 * knows, at a line that is plainly of one stack. Gives what the way through retrace-line.ts gives, in a fraction of the
 * time and memory; all else takes that way.
 */
import type { ClassMapping } from './class-mapping.ts'
import type { Mapping } from './mapping.ts'
import type { MappedRange } from './member-mapping.ts'
import { isAmbiguousRange } from './retrace-frame.ts'
import { inferSourceFile } from './source-file.ts'
import { maxTraceLineLength, skipName, skipSpace } from './trace-line.ts'

const colon = 0x3a

/** The lines that stand for `text`, each with its newline, and how many; `undefined` where it is not so plain. */
export function restorePlainFrame(text: string, mapping: Mapping): { written: string; count: number } | undefined {
  const closeAt = text.length - 1
  const start = skipSpace(text, 0) + 3
  if (text.charCodeAt(closeAt) !== 0x29 || text.length > maxTraceLineLength || !text.startsWith('at ', start - 3)) {
    return undefined
  }
  const nameEnd = skipName(text, start)
  if (text.charCodeAt(nameEnd) !== 0x28 || isDigit(text.charCodeAt(start))) return undefined
  const dot = text.lastIndexOf('.', nameEnd - 1)
  if (dot <= start || dot + 1 === nameEnd || isDigit(text.charCodeAt(dot + 1))) return undefined
  let digits = closeAt
  while (isDigit(text.charCodeAt(digits - 1))) digits--
  const fileEnd = digits - 1
  if (fileEnd < nameEnd + 1 || text.charCodeAt(fileEnd) !== colon) return undefined
  if (digits === closeAt || closeAt - digits > 9) return undefined
  const line = Number(text.slice(digits, closeAt))
  const owner = mapping.findOnlyClass(text, start, dot)
  if (line === 0 || !owner) return undefined
  const ranges = mapping.findOnlyStack(owner, text.slice(dot + 1, nameEnd), line)
  if (!ranges || ranges.at(-1)?.synthesized || ranges.some(isAmbiguousRange)) return undefined
  const before = text.slice(0, start)
  const file = text.slice(nameEnd + 1, fileEnd)
  let written = ''
  for (const range of ranges) {
    const frame = writeFrame(mapping, owner, range, line, file)
    if (frame === undefined) return undefined
    written += before + frame
  }
  return { written, count: ranges.length }
}

function writeFrame(
  mapping: Mapping,
  owner: ClassMapping,
  { minified, original, signature }: MappedRange,
  line: number,
  file: string,
): string | undefined {
  if (!minified) return undefined
  const isOneLine = original && (original.cardinal || original.from === original.to)
  const sourceLine = original ? (isOneLine ? original.from : original.from + line - minified.from) : line
  if (sourceLine <= 0) return undefined
  const { name } = signature
  const dot = name.lastIndexOf('.')
  const className = dot === -1 ? owner.original : name.slice(0, dot)
  const known = className === owner.original ? owner.fileName : undefined
  const fileName = known ?? mapping.findSourceFile(className) ?? inferSourceFile(className, file)
  return `${className}.${dot === -1 ? name : name.slice(dot + 1)}(${fileName}:${sourceLine})\n`
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}
