/**
 * The parts of a line of a trace that a mapping can restore, found as R8's retrace finds them by default. The grammar
 * is that of its expression
 *
 *     (?:.*?\bat\s+%c\.%m\s*\(%S\)\p{Z}*(?:~\[.*\])?)|(?:(?:(?:%c|.*)?[:"]\s+)?%c(?:(:|]).*)?)
 *
 * with %c a class, %m a method and %S a source file and line. It is scanned by hand, in time linear in the line; the
 * tests hold it against the expression itself.
 */

import { endsName } from './name-end.ts'

export type PartKind = 'class' | 'binaryClass' | 'method' | 'field' | 'file' | 'line' | 'type' | 'arguments'

/** A stretch of the line, in the order of the line. */
export interface LinePart {
  readonly kind: PartKind
  readonly start: number
  readonly end: number
  /** Of a line number: the colon before it belongs to it, and is written again only with a number. */
  readonly withColon?: boolean
}

export interface TraceLine {
  readonly text: string
  readonly parts: readonly LinePart[]
}

/** Longer lines pass through as they are. */
export const maxTraceLineLength = 64 * 1024

const suppressed = 'Suppressed'
const space = 0x20
const quote = 0x22
const open = 0x28
const colon = 0x3a

/** Finds the parts in `text`, which holds no line break. No parts where it is no line of a trace. */
export function parseTraceLine(text: string): TraceLine {
  if (text.length > maxTraceLineLength) return { text, parts: [] }
  return { text, parts: findFrame(text) ?? findException(text) }
}

/** `… at com.example.Foo.bar(Foo.java:12) ~[app.jar]` */
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

/** The method of a class and a method joined by a dot that begin at `start`: after the last dot that leaves both. */
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

/** The last bracket that closes and has nothing behind it but spaces and the name of an archive; -1 without one. */
function findLastClose(text: string): number {
  for (let at = text.lastIndexOf(')'); at !== -1; at = text.lastIndexOf(')', at - 1)) {
    let end = at + 1
    while (isSeparator(text.charCodeAt(end))) end++
    if (end === text.length || (text.startsWith('~[', end) && text.length > end + 2 && text.endsWith(']'))) return at
    if (at === 0) break
  }
  return -1
}

/** A colon and digits at the end are the line; without digits the colon belongs to the file. */
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

/** `Caused by: com.example.Problem: message`, and what else has the form of it. */
function findException(text: string): LinePart[] {
  const only = findTrailingClass(text) ?? findClassAt(text, 0)
  const candidates = findLeadingClass(text) ?? (only ? [only] : [])
  return candidates.flatMap((it) => toClassPart(text, it)).slice(0, 1)
}

/** The last class behind a colon or a quote and white space. */
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

/** A class at the start, behind it a colon or a quote, and behind that what could be a class too: both. */
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

/** A class at `start` that ends with the text, a colon or a square bracket. */
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
 * The class in that stretch: class loaders and modules stand before it, each with a slash behind it. None where it is
 * the word before an exception that was kept back.
 */
export function toClassPart(text: string, { start, end }: Span): LinePart[] {
  if (end - start === suppressed.length && text.startsWith(suppressed, start)) return []
  return [{ kind: 'class', start: Math.max(text.lastIndexOf('/', end - 1) + 1, start), end }]
}

/** The end of what may be a name: all but white space and `[];:()<>`. */
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

/** The separators of Unicode (Z). */
function isSeparator(code: number): boolean {
  if (code === space) return true
  return code >= 0x80 && /\p{Z}/u.test(String.fromCharCode(code))
}

/** Whether Java sees that code within a word where it looks for a boundary of words (`\b`). */
export function isWordCode(code: number): boolean {
  if (code < 0x80) return isDigit(code) || code === 0x5f || isLetter(code)
  return /[\p{L}\p{Nd}]/u.test(String.fromCharCode(code))
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}
