/**
 * A line that begins the mapping of a class: `com.example.Original -> a.b.c:`. What tells it from a member's line is
 * the colon at its end; white space in front is no reason to turn it away.
 */
import { isNameCode } from './name-code.ts'

/** Where the two names stand, as places in the bytes: starts included, ends not. */
export interface ClassLine {
  readonly originalStart: number
  readonly originalEnd: number
  readonly obfuscatedStart: number
  readonly obfuscatedEnd: number
}

const minus = 0x2d
const greaterThan = 0x3e

/** Finds the names in the line of `bytes` from `start` to `end`; `undefined` where it is not the line of a class. */
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

/** Bytes above ASCII are parts of a character; that it is one of names is not looked at. */
function isName(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number
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
