/**
 * A short way to the ranges of a line, for most frames: when no note describes any line of the name, and the ranges
 * that hold the line are one stack, the other ranges of the name have no say, and need not be read beyond their
 * numbers. All else takes the long way.
 */
import { parseMemberLine } from './mapping-line.ts'
import { type MappedRange, toRange } from './member-mapping.ts'
import { findMemberLines, type MemberTable } from './member-table.ts'

const colon = 0x3a
const maxStack = 64

/** The ranges that hold `line`; `undefined` where it takes the long way to tell. */
export function findOnlyStack(
  text: Buffer,
  table: MemberTable,
  renamed: string,
  line: number,
): MappedRange[] | undefined {
  const count = table.length / 3
  const stack: number[] = []
  let [stackFrom, stackTo] = [-1, -1]
  let isOpen = false
  for (const number of findMemberLines(table, renamed)) {
    const end = table[count + number] ?? 0
    const next = number + 1 < count ? (table[number + 1] ?? 0) : text.length
    if (end + 1 < next) return undefined
    const first = parseNumber(text, skipBlanks(text, table[number] ?? 0))
    // A line of no range: it would matter only if no range held the line.
    if (!first) {
      isOpen = false
      continue
    }
    const last = parseNumber(text, first.end)
    if (!last || last.value < first.value) return undefined
    const holds = first.value <= line && line <= last.value
    if (isOpen && first.value === stackFrom && last.value === stackTo) stack.push(number)
    else if (holds && stack.length > 0) return undefined
    else {
      isOpen = holds
      if (!holds) continue
      stack.push(number)
      stackFrom = first.value
      stackTo = last.value
    }
    if (stack.length > maxStack) return undefined
  }
  return stack.length === 0 ? undefined : readRanges(text, table, renamed, stack)
}

function readRanges(text: Buffer, table: MemberTable, renamed: string, numbers: number[]): MappedRange[] | undefined {
  const ranges: MappedRange[] = []
  for (const number of numbers) {
    const member = parseMemberLine(text.toString('utf8', table[number], table[table.length / 3 + number]))
    if (member?.renamed !== renamed || member.signature.parameters === undefined) return undefined
    ranges.push(toRange(member))
  }
  return ranges
}

function skipBlanks(text: Buffer, start: number): number {
  let at = start
  while (text[at] === 0x20 || text[at] === 0x09) at++
  return at
}

/** Up to nine digits with a colon behind them, and the place behind that. */
function parseNumber(text: Buffer, start: number): { value: number; end: number } | undefined {
  let at = start
  let value = 0
  for (let byte = text[at] ?? 0; byte >= 0x30 && byte <= 0x39 && at - start < 9; byte = text[at] ?? 0) {
    value = value * 10 + byte - 0x30
    at++
  }
  return at > start && text[at] === colon ? { value, end: at + 1 } : undefined
}
