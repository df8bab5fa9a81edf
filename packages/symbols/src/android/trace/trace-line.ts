/**
 * Finds the parts of a trace line that a mapping can restore. The grammar is that of the default expression of R8's
 * retrace, in which %c is a class, %m a method and %S a source file and line:
 *
 *     (?:.*?\bat\s+%c\.%m\s*\(%S\)\p{Z}*(?:~\[.*\])?)|(?:(?:(?:%c|.*)?[:"]\s+)?%c(?:(:|]).*)?)
 *
 * This scanner takes time linear in the length of the line. A test compares it with the expression.
 */

import { endsName } from './name-end.ts'

export type PartKind = 'class' | 'binaryClass' | 'method' | 'field' | 'file' | 'line' | 'type' | 'arguments'

/** A range of the line. Parts are in the order of the line. */
export interface LinePart {
  readonly kind: PartKind
  readonly start: number
  readonly end: number
  /** For a line number: the colon before it is part of the range and is written only together with a number. */
  readonly withColon?: boolean
}

export interface TraceLine {
  readonly text: string
  readonly parts: readonly LinePart[]
}

/** The longest line that is restored, in UTF-16 code units. Longer ones stay as they are. */
export const maxTraceLineLength = 64 * 1024

const suppressed = 'Suppressed'
const space = 0x20
const quote = 0x22
const open = 0x28
const colon = 0x3a

/** Finds the parts of `text`, which is one line. There are none if it is not a line of a trace. */
export function parseTraceLine(text: string): TraceLine {
  if (text.length > maxTraceLineLength) return { text, parts: [] }
  return { text, parts: findFrame(text) ?? findException(text) }
}

/** Finds the parts of a frame, such as `… at com.example.Foo.bar(Foo.java:12) ~[app.jar]`. */
function findFrame(text: string): LinePart[] | undefined {
  let lastClose: number | undefined
  for (let at = text.indexOf('at'); at !== -1; at = text.indexOf('at', at + 1)) {
    if (at > 0 && isWordCode(text.charCodeAt(at - 1))) continue
    const start = skipSpace(text, at + 2)
    if (start === at + 2) continue
    const method = findMethod(text, start)
    if (!method) continue
    const openAt = skipSpace(text, method.end)
    if (text.charCodeAt(openAt) !== open) continue
    lastClose ??= findLastClose(text)
    if (lastClose <= openAt) return undefined
    const parts = toClassPart(text, { start, end: method.start - 1 })
    const [file, line] = splitFileAndLine(text, openAt + 1, lastClose)
    parts.push({ kind: 'method', start: method.start, end: method.end }, file, line)
    return parts
  }
  return undefined
}

/**
 * Finds the method of a qualified method name at `start`, which begins after the last dot that has a name on both
 * sides.
 */
function findMethod(text: string, start: number): Span | undefined {
  if (isDigit(text.charCodeAt(start))) return undefined
  const end = skipName(text, start)
  if (text.charCodeAt(end) === 0x3c) {
    const name = ['<init>', '<clinit>'].find((it) => text.startsWith(it, end))
    if (!name || text[end - 1] !== '.' || end - 1 === start) return undefined
    return { start: end, end: end + name.length }
  }
  for (let dot = text.lastIndexOf('.', end - 1); dot > start; dot = text.lastIndexOf('.', dot - 1)) {
    if (dot + 1 < end && !isDigit(text.charCodeAt(dot + 1))) return { start: dot + 1, end }
  }
  return undefined
}

/**
 * Finds the last closing bracket that is followed by nothing but spaces and the name of an archive; -1 if there is
 * none.
 */
function findLastClose(text: string): number {
  for (let at = text.lastIndexOf(')'); at !== -1; at = text.lastIndexOf(')', at - 1)) {
    let end = at + 1
    while (isSeparator(text.charCodeAt(end))) end++
    if (end === text.length || (text.startsWith('~[', end) && text.length > end + 2 && text.endsWith(']'))) return at
    if (at === 0) break
  }
  return -1
}

/** Splits at the last colon if digits follow it. Without digits, the colon belongs to the file. */
export function splitFileAndLine(text: string, start: number, end: number): [LinePart, LinePart] {
  let digits = end
  while (digits > start && isDigit(text.charCodeAt(digits - 1))) digits--
  const hasLine = digits < end && digits > start && text.charCodeAt(digits - 1) === colon
  const fileEnd = hasLine ? digits - 1 : end
  return [
    { kind: 'file', start, end: fileEnd },
    { kind: 'line', start: fileEnd, end, withColon: true },
  ]
}

/** Finds the class of a line such as `Caused by: com.example.Problem: message`. */
function findException(text: string): LinePart[] {
  const only = findTrailingClass(text) ?? findClassAt(text, 0)
  const candidates = findLeadingClass(text) ?? (only ? [only] : [])
  return candidates.flatMap((it) => toClassPart(text, it)).slice(0, 1)
}

/** Finds the last class that follows a colon or a quotation mark and white space. */
function findTrailingClass(text: string): Span | undefined {
  for (let at = text.length - 2; at >= 0; at--) {
    const code = text.charCodeAt(at)
    if (code !== colon && code !== quote) continue
    const start = skipSpace(text, at + 1)
    const found = start === at + 1 ? undefined : findClassAt(text, start)
    if (found) return found
  }
  return undefined
}

/**
 * Finds a class at the start that is followed by a colon or a quotation mark, if what follows may be a class too.
 * Returns both.
 */
function findLeadingClass(text: string): Span[] | undefined {
  const run = skipName(text, 0)
  if (run === 0 || isDigit(text.charCodeAt(0))) return undefined
  let end = run
  if (text.charCodeAt(run) !== colon) {
    if (text.charCodeAt(run - 1) !== quote || run === 1) return undefined
    end = run - 1
  }
  const next = skipSpace(text, end + 1)
  const second = next === end + 1 ? undefined : findClassAt(text, next)
  return second && [{ start: 0, end }, second]
}

/** Finds a class at `start` that ends with the text, at a colon or at a square bracket. */
export function findClassAt(text: string, start: number): Span | undefined {
  const end = skipName(text, start)
  if (end === start || isDigit(text.charCodeAt(start))) return undefined
  const next = text.charCodeAt(end)
  return end === text.length || next === colon || next === 0x5d ? { start, end } : undefined
}

interface Span {
  readonly start: number
  readonly end: number
}

/**
 * Returns the class in a range without class loaders and modules, each of which ends with a slash. Returns nothing if
 * the range is the word `Suppressed`.
 */
export function toClassPart(text: string, { start, end }: Span): LinePart[] {
  if (end - start === suppressed.length && text.startsWith(suppressed, start)) return []
  return [{ kind: 'class', start: Math.max(text.lastIndexOf('/', end - 1) + 1, start), end }]
}

/** Returns the end of what may be a name. */
function skipName(text: string, start: number): number {
  let at = start
  for (; at < text.length; at++) {
    if (endsName(text.charCodeAt(at))) break
  }
  return at
}

export function skipSpace(text: string, start: number): number {
  let at = start
  while (isSpace(text.charCodeAt(at))) at++
  return at
}

function isSpace(code: number): boolean {
  return code === space || (code >= 0x09 && code <= 0x0d)
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** Whether the code unit is a separator of Unicode (general category Z). */
function isSeparator(code: number): boolean {
  if (code === space) return true
  return code >= 0x80 && /\p{Z}/u.test(String.fromCharCode(code))
}

/** Whether Java treats the code unit as part of a word when it looks for a word boundary (`\b`). */
export function isWordCode(code: number): boolean {
  if (code < 0x80) return isDigit(code) || code === 0x5f || isLetter(code)
  return /[\p{L}\p{Nd}]/u.test(String.fromCharCode(code))
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}
