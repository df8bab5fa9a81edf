/**
 * Finds values in JSON text without making objects of it, because a source map holds the sources themselves, which are
 * most of its bytes and of no use to lookups. A value is a range of the file. Values that are passed over are checked
 * for balanced brackets and closed strings only.
 */
import { SymbolsError } from '../symbols-error.ts'
import type { ByteWindow } from './byte-window.ts'

/** The bytes of a value, from its first to behind its last. */
export interface JsonRange {
  start: number
  end: number
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
/** The longest number, keyword or name of a field that is read. */
const maxTokenBytes = 1000

export function isObject(window: ByteWindow, { start }: JsonRange): boolean {
  return window.at(start) === openBrace
}

export function isArray(window: ByteWindow, { start }: JsonRange): boolean {
  return window.at(start) === openBracket
}

export function isString(window: ByteWindow, { start }: JsonRange): boolean {
  return window.at(start) === quote
}

/** The range of the value that begins at or behind a position. Throws `malformed-source-map`. */
export function findValue(window: ByteWindow, position: number): JsonRange {
  const start = skipSpace(window, position)
  return { start, end: skipValue(window, start) }
}

/** The position of the next byte that is no white space. */
export function skipSpace(window: ByteWindow, position: number): number {
  let at = position
  for (let code = window.at(at); code === 0x20 || (code >= 0x09 && code <= 0x0d); code = window.at(at)) at++
  return at
}

/** Gives the members of an object in order. A key that is no plain text has the name `''`. */
export function* listMembers(window: ByteWindow, { start }: JsonRange): Generator<{ key: string; value: JsonRange }> {
  let at = skipSpace(window, start + 1)
  while (window.at(at) !== closeBrace) {
    if (window.at(at) !== quote) throw malformed(at)
    const keyEnd = skipString(window, at)
    const key = readText(window, { start: at, end: keyEnd }, maxTokenBytes) ?? ''
    at = skipSpace(window, keyEnd)
    if (window.at(at) !== colon) throw malformed(at)
    const value = findValue(window, at + 1)
    yield { key, value }
    at = toNext(window, value.end, closeBrace)
  }
}

/** Gives the elements of an array in order. */
export function* listElements(window: ByteWindow, { start }: JsonRange): Generator<JsonRange> {
  let at = skipSpace(window, start + 1)
  while (window.at(at) !== closeBracket) {
    const value = findValue(window, at)
    yield value
    at = toNext(window, value.end, closeBracket)
  }
}

function toNext(window: ByteWindow, end: number, close: number): number {
  const at = skipSpace(window, end)
  const code = window.at(at)
  if (code === close) return at
  if (code !== comma) throw malformed(at)
  return skipSpace(window, at + 1)
}

/** The text of a string; null for other values. Throws `too-large` for more than `maxBytes`. */
export function readText(window: ByteWindow, range: JsonRange, maxBytes: number): string | null {
  if (!isString(window, range)) return null
  if (range.end - range.start > maxBytes + 2) throw new SymbolsError('too-large', `A text has over ${maxBytes} bytes.`)
  try {
    const text: unknown = JSON.parse(window.slice(range.start, range.end).toString('utf8'))
    return typeof text === 'string' ? text : null
  } catch (cause) {
    throw new SymbolsError('malformed-source-map', `The text at byte ${range.start} is none.`, { cause })
  }
}

/** A whole number that is not negative; null for other values. */
export function readCount(window: ByteWindow, { start, end }: JsonRange): number | null {
  if (end - start > maxTokenBytes) return null
  const text = window.slice(start, end).toString('latin1')
  const value = /^\d{1,15}(?:\.0{1,15})?$/.test(text) ? Number(text) : NaN
  return Number.isSafeInteger(value) ? value : null
}

function skipValue(window: ByteWindow, start: number): number {
  let at = start
  let depth = 0
  do {
    at = skipSpace(window, at)
    const code = window.at(at)
    if (code === quote) at = skipString(window, at)
    else if (code === openBrace || code === openBracket) {
      depth++
      at++
    } else if (depth > 0 && (code === closeBrace || code === closeBracket)) {
      depth--
      at++
    } else if (depth > 0 && (code === comma || code === colon)) at++
    else at = skipToken(window, at)
  } while (depth > 0)
  return at
}

function skipString(window: ByteWindow, start: number): number {
  let at = start + 1
  while (at < window.size) {
    if ((at < window.start || at >= window.end) && !window.moveTo(at)) break
    const { bytes, start: base, end } = window
    let place = at - base
    const last = end - base
    while (place < last) {
      const code = bytes[place]
      if (code === quote) return base + place + 1
      place += code === backslash ? 2 : 1
    }
    at = base + place
  }
  throw malformed(at)
}

/** Passes over a number or a keyword. */
function skipToken(window: ByteWindow, start: number): number {
  let at = start
  for (let code = window.at(at); isTokenByte(code); code = window.at(at)) at++
  if (at === start) throw malformed(start)
  return at
}

function isTokenByte(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    code === 0x2b ||
    code === 0x2d ||
    code === 0x2e
  )
}

function malformed(at: number): SymbolsError {
  return new SymbolsError('malformed-source-map', `It is no JSON from byte ${at} on.`)
}
