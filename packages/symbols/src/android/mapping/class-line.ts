/**
 * The line that starts the mapping of a class: `com.example.Original -> a.b.c:`. It differs from a member line by the
 * colon at its end. Leading white space is accepted.
 */
import { outOfRange } from '@fairlead/invariant'
import { isNameCode } from './name-code.ts'

/** Offsets of the two names in the bytes; starts are included, ends are not. */
export interface ClassLine {
  readonly originalStart: number
  readonly originalEnd: number
  readonly obfuscatedStart: number
  readonly obfuscatedEnd: number
}

const minus = 0x2d
const greaterThan = 0x3e

/** Parses the line of `bytes` from `start` to `end`; returns `undefined` if it is not a class line. */
export function findClassLine(bytes: Buffer, start: number, end: number): ClassLine | undefined {
  if (bytes[end - 1] !== 0x3a) return undefined
  const arrowAt = findArrow(bytes, start, end)
  if (arrowAt === -1) return undefined
  const originalStart = skipSpace(bytes, start, arrowAt)
  const originalEnd = skipSpaceBack(bytes, originalStart, arrowAt)
  const obfuscatedStart = skipSpace(bytes, arrowAt + 2, end - 1)
  const obfuscatedEnd = skipSpaceBack(bytes, obfuscatedStart, end - 1)
  if (!isName(bytes, originalStart, originalEnd) || !isName(bytes, obfuscatedStart, obfuscatedEnd)) return undefined
  return { originalStart, originalEnd, obfuscatedStart, obfuscatedEnd }
}

/** The offset of the first `->` of the line; -1 if it has none. */
function findArrow(bytes: Buffer, start: number, end: number): number {
  let at = bytes.indexOf(minus, start)
  while (at !== -1 && at < end && bytes[at + 1] !== greaterThan) at = bytes.indexOf(minus, at + 1)
  return at < end ? at : -1
}

/**
 * Bytes above ASCII belong to multi-byte characters, which are all accepted. `at` is below `end`, so each byte exists.
 */
function isName(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? outOfRange()
    if (byte < 0x80 && byte !== 0x2e && !isNameCode(byte)) return false
  }
  return end > start
}

function skipSpace(bytes: Buffer, start: number, end: number): number {
  let at = start
  while (at < end && (bytes[at] === 0x20 || bytes[at] === 0x09)) at++
  return at
}

function skipSpaceBack(bytes: Buffer, start: number, end: number): number {
  let at = end
  while (at > start && (bytes[at - 1] === 0x20 || bytes[at - 1] === 0x09)) at--
  return at
}
