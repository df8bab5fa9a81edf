/**
 * A short way to the ranges of a line, for most frames: when no note describes any line of the name, and the ranges
 * that hold the line are one stack, the other ranges of the name have no say, and need not be read beyond their
 * numbers. Notes that a method was made by the compiler are taken along, because they are many: such a note is of all
 * methods of the name with the same types. All else takes the long way.
 */
import type { TextRange } from './index-file.ts'
import { type MapVersion, mapVersions } from './map-version.ts'
import { parseMemberLine, type Signature } from './mapping-line.ts'
import { type MappedRange, toRange } from './member-mapping.ts'
import { hashMember, type MemberTable } from './member-tables.ts'
import { parsePlainMethod, readDigits, skipDigits } from './plain-method.ts'

const newline = 0x0a
const synthesizedNote = Buffer.from('# {"id":"com.android.tools.r8.synthesized"}\n')
const colon = 0x3a
const maxStack = 64

/** The ranges that hold `line`; `undefined` where it takes the long way to tell. */
export function findOnlyStack(
  text: TextRange,
  table: MemberTable,
  renamed: string,
  line: number,
  version: MapVersion,
): MappedRange[] | undefined {
  const { bytes } = text
  const hash = hashMember(renamed)
  let stack: MappedRange[] | undefined
  let stackFrom = -1
  let stackTo = -1
  let isOpen = false
  let synthesized: Signature[] | undefined
  // The lines of the method that the compiler made, when its note stood between them and their callers.
  let notedFrom = -1
  let notedTo = -1
  // Behind the range of the line that ends the first stack, and of the last line.
  let firstAt = -1
  let lastAt = -1
  let firstFrom = -1
  let firstTo = -1
  let isAllRanges = true
  for (let run = table.findRun(hash, 0); run < table.runCount; run = table.findRun(hash, run + 1)) {
    const end = table.firstLineOf(run + 1)
    notedFrom = -1
    for (let number = table.firstLineOf(run); number < end; number++) {
      const noted = table.hasNotes(number)
      const start = skipBlanks(bytes, text.start + (table.startOf(number) ?? 0))
      const fromEnd = skipRangeNumber(bytes, start)
      // A line of no range: it would matter only if no range held the line.
      if (fromEnd === -1) {
        if (noted) return undefined
        isOpen = false
        isAllRanges = false
        notedFrom = -1
        continue
      }
      const toEnd = skipRangeNumber(bytes, fromEnd)
      if (toEnd === -1) return undefined
      const from = readDigits(bytes, start, fromEnd - 1)
      const to = readDigits(bytes, fromEnd, toEnd - 1)
      // A note before a caller would be of the caller too.
      if (to < from || (from === notedFrom && to === notedTo)) return undefined
      notedFrom = -1
      if (noted) {
        const next = text.start + (table.startOf(number + 1) ?? text.end - text.start)
        const signature = version < mapVersions.v1_0 ? undefined : parsePlainMethod(bytes, toEnd, renamed)?.signature
        if (!signature || !hasSynthesizedNote(bytes, toEnd, next)) return undefined
        if (synthesized) synthesized.push(signature)
        else synthesized = [signature]
        notedFrom = from
        notedTo = to
      }
      if (firstAt === -1) {
        firstFrom = from
        firstTo = to
      }
      if (firstAt === lastAt && from === firstFrom && to === firstTo) firstAt = toEnd
      lastAt = toEnd
      const holds = from <= line && line <= to
      const isNext = isOpen && from === stackFrom && to === stackTo
      if (!isNext) {
        if (holds && stack) return undefined
        isOpen = holds
        if (!holds) continue
        stackFrom = from
        stackTo = to
      }
      const range = readRange(text, start, toEnd, renamed, from, to)
      if (!range) return undefined
      if (stack) stack.push(range)
      else stack = [range]
      if (stack.length > maxStack) return undefined
    }
  }
  const outermost = stack?.at(-1)
  if (!stack || !outermost || !synthesized) return stack
  const first = parsePlainMethod(bytes, firstAt, renamed)
  const last = parsePlainMethod(bytes, lastAt, renamed)
  if (!isAllRanges || !first || !last) return undefined
  // Where the first method is the last as well, R8 takes all between for one with it.
  const deciding = first.signature.key === last.signature.key ? last.signature : outermost.signature
  outermost.synthesized = synthesized.some((it) => haveSameTypes(it, deciding))
  return stack
}

function haveSameTypes(one: Signature, other: Signature): boolean {
  return one.type === other.type && one.parameters === other.parameters
}

/** Whether only this note stands between the line with a place at `lineAt` and `end`. */
function hasSynthesizedNote(bytes: Buffer, lineAt: number, end: number): boolean {
  let start = bytes.indexOf(newline, lineAt) + 1
  while (bytes[start] === 0x20) start++
  return (
    end - start === synthesizedNote.length &&
    bytes.compare(synthesizedNote, 0, synthesizedNote.length, start, end) === 0
  )
}

/** Reads the line that starts at `start` and whose range ends at `rangeEnd`; `undefined` if it is no method's. */
function readRange(
  text: TextRange,
  start: number,
  rangeEnd: number,
  renamed: string,
  from: number,
  to: number,
): MappedRange | undefined {
  const { bytes } = text
  const plain = parsePlainMethod(bytes, rangeEnd, renamed)
  if (plain) {
    const { signature, original } = plain
    return toRange({ minified: { from, to, cardinal: false }, original, signature, renamed })
  }
  const end = bytes.indexOf(newline, rangeEnd)
  const member = parseMemberLine(bytes.toString('utf8', start, end === -1 ? text.end : Math.min(end, text.end)))
  return member?.renamed === renamed && member.signature.parameters !== undefined ? toRange(member) : undefined
}

function skipBlanks(bytes: Buffer, start: number): number {
  let at = start
  while (bytes[at] === 0x20 || bytes[at] === 0x09) at++
  return at
}

/** The place behind up to nine digits and a colon; -1 where they are not there. */
function skipRangeNumber(bytes: Buffer, start: number): number {
  const end = skipDigits(bytes, start)
  return end !== -1 && bytes[end] === colon ? end + 1 : -1
}
