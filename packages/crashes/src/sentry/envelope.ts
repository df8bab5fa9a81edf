/**
 * Reads Sentry's envelope: a line of JSON, then items. Each item has a line of JSON as its header and a payload, which
 * is `length` bytes and a line feed, or without a length all bytes up to the next line feed. Behind a header that
 * cannot be read, the next item is looked for.
 */
import { CrashesError } from '../crashes-error.ts'
import type { JsonObject } from '../json/json-value.ts'
import { parseJsonObject } from '../json/parse-json.ts'
import { maxItems } from '../limits.ts'

export interface Envelope {
  header: JsonObject
  items: EnvelopeItem[]
  /** Why some of it could not be read, if other items could. */
  damage?: CrashesError
}

export interface EnvelopeItem {
  /** The type, such as `event` or `session`; `unknown` if it is not text. */
  type: string
  payload: Uint8Array
}

const lineFeed = 10
const openingBrace = '{'.charCodeAt(0)
/** The length of a header in bytes. */
export const longestHeader = 64 * 1024

/** @throws {CrashesError} malformed, too-large */
export function parseEnvelope(bytes: Buffer): Envelope {
  const headerEnd = findLineEnd(bytes, 0)
  if (headerEnd === 0) throw new CrashesError('malformed', 'The envelope has no header.')
  const header = parseHeader(bytes.subarray(0, headerEnd))
  const items: EnvelopeItem[] = []
  const search = { triedLines: 0 }
  let damage: CrashesError | undefined
  let at = headerEnd + 1
  while ((at = skipBlank(bytes, at)) < bytes.length) {
    const lineEnd = findLineEnd(bytes, at)
    const line = bytes.subarray(at, lineEnd)
    at = lineEnd + 1
    if (items.length === maxItems) throw new CrashesError('too-large', `It has more than ${maxItems} items.`)
    try {
      const { type, end } = readItemHeader(line, bytes, at)
      items.push({ type, payload: bytes.subarray(at, end) })
      at = bytes[end] === lineFeed ? end + 1 : end
    } catch (error) {
      if (!(error instanceof CrashesError)) throw error
      damage ??= error
      at = findNextItem(bytes, at, search)
    }
  }
  if (items.length === 0 && damage) throw damage
  return { header, items, ...(damage && { damage }) }
}

function readItemHeader(line: Buffer, bytes: Buffer, at: number): { type: string; end: number } {
  const { length, type } = parseItemHeader(line)
  const end = length === undefined ? findLineEnd(bytes, at) : at + length
  if (end > bytes.length) throw new CrashesError('malformed', 'An item is longer than the envelope.')
  return { type, end }
}

/** The length is that of the payload in bytes; undefined if the payload ends with its line. @throws {CrashesError} */
export function parseItemHeader(line: Buffer): { type: string; length: number | undefined } {
  const { length, type } = parseHeader(line)
  const hasLength = typeof length === 'number' && Number.isSafeInteger(length) && length >= 0
  return { type: typeof type === 'string' ? type : 'unknown', length: hasLength ? length : undefined }
}

/** The lines of an envelope that are looked at for the next item. A hostile one has millions of them. */
const maxTriedLines = 1000
const longestTriedLine = 1024

/**
 * Finds the next line that is the header of an event or a session, and whose payload looks like one. Files that are
 * attached hold all kinds of lines, so other items are not looked for. Returns the end of the envelope if there is
 * none.
 */
function findNextItem(bytes: Buffer, start: number, search: { triedLines: number }): number {
  let at = start
  for (; search.triedLines < maxTriedLines && at < bytes.length; search.triedLines++) {
    const lineEnd = findLineEnd(bytes, at)
    if (isReadItem(bytes.subarray(at, lineEnd), bytes[lineEnd + 1])) return at
    const next = bytes.indexOf('\n{', lineEnd)
    if (next < 0) break
    at = next + 1
  }
  return bytes.length
}

function isReadItem(line: Buffer, payloadStart: number | undefined): boolean {
  if (line[0] !== openingBrace || payloadStart !== openingBrace || line.length > longestTriedLine) return false
  try {
    return /^(?:event|sessions?)$/.test(parseItemHeader(line).type)
  } catch (error) {
    if (error instanceof CrashesError) return false
    throw error
  }
}

function parseHeader(line: Buffer): JsonObject {
  if (line.length > longestHeader) throw new CrashesError('too-large', 'A header of the envelope is too long.')
  return parseJsonObject(line)
}

function findLineEnd(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(lineFeed, start)
  return end < 0 ? bytes.length : end
}

/**
 * Skips empty lines and the blanks before a header. A hostile envelope has millions of them, so they are not made into
 * lines first.
 */
export function skipBlank(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length && isBlank(bytes[at])) at++
  return at
}

function isBlank(byte: number | undefined): boolean {
  return byte === lineFeed || byte === 32 || byte === 9 || byte === 13
}
