/**
 * A short way to the ranges of a line, for most frames: when no note describes any line of the name, and the ranges
 * that hold the line are one stack, the other ranges of the name have no say, and need not be read beyond their
 * numbers. All else takes the long way.
 */
import type { TextRange } from './index-file.ts'
import { parseMemberLine } from './mapping-line.ts'
import { type MappedRange, toRange } from './member-mapping.ts'
import { findRun, firstLineOf, hashMember, hasNotes, type MemberTable } from './member-table.ts'
import { parsePlainMethod, readDigits, skipDigits } from './plain-method.ts'

const newline = 0x0a
const colon = 0x3a
const maxStack = 64

/** The ranges that hold `line`; `undefined` where it takes the long way to tell. */
export function findOnlyStack(
  text: TextRange,
  table: MemberTable,
  renamed: string,
  line: number,
): MappedRange[] | undefined {
  const { bytes } = text
  const runs = table[0] ?? 0
  const firstStart = 1 + 2 * runs
  const hash = hashMember(renamed)
  let stack: MappedRange[] | undefined
  let [stackFrom, stackTo] = [-1, -1]
  let isOpen = false
  for (let run = findRun(table, hash, 0); run < runs; run = findRun(table, hash, run + 1)) {
    const end = firstLineOf(table, run + 1)
    for (let number = firstLineOf(table, run); number < end; number++) {
      const place = table[firstStart + number] ?? 0
      if (place >= hasNotes) return undefined
      const start = skipBlanks(bytes, text.start + place)
      const fromEnd = skipRangeNumber(bytes, start)
      // A line of no range: it would matter only if no range held the line.
      if (fromEnd === -1) {
        isOpen = false
        continue
      }
      const toEnd = skipRangeNumber(bytes, fromEnd)
      if (toEnd === -1) return undefined
      const from = readDigits(bytes, start, fromEnd - 1)
      const to = readDigits(bytes, fromEnd, toEnd - 1)
      if (to < from) return undefined
      const holds = from <= line && line <= to
      const isNext = isOpen && from === stackFrom && to === stackTo
      if (!isNext) {
        if (holds && stack) return undefined
        isOpen = holds
        if (!holds) continue
        ;[stackFrom, stackTo] = [from, to]
      }
      const range = readRange(text, start, toEnd, renamed, from, to)
      if (!range) return undefined
      if (stack) stack.push(range)
      else stack = [range]
      if (stack.length > maxStack) return undefined
    }
  }
  return stack
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
