/**
 * Reads Sentry's envelope: a line of JSON, then items. Each item has a line of JSON as its header and a payload, which
 * is `length` bytes and a line feed, or without a length all bytes up to the next line feed.
 */
import { CrashesError } from '../crashes-error.ts'
import type { JsonObject } from '../json/json-value.ts'
import { parseJsonObject } from '../json/parse-json.ts'
import { maxItems } from '../limits.ts'

export interface Envelope {
  header: JsonObject
  items: EnvelopeItem[]
  /** Why the rest could not be read, if items before it could. */
  damage?: CrashesError
}

export interface EnvelopeItem {
  /** The type, such as `event` or `session`; `unknown` if it is not text. */
  type: string
  payload: Uint8Array
}

const lineFeed = 10
const longestHeader = 64 * 1024

/** @throws {CrashesError} malformed, too-large */
export function parseEnvelope(bytes: Buffer): Envelope {
  const headerEnd = findLineEnd(bytes, 0)
  if (headerEnd === 0) throw new CrashesError('malformed', 'The envelope has no header.')
  const header = parseHeader(bytes.subarray(0, headerEnd))
  const items: EnvelopeItem[] = []
  let at = headerEnd + 1
  while (at < bytes.length) {
    const lineEnd = findLineEnd(bytes, at)
    const line = bytes.subarray(at, lineEnd)
    at = lineEnd + 1
    if (isBlank(line)) continue
    if (items.length === maxItems) throw new CrashesError('too-large', `It has more than ${maxItems} items.`)
    try {
      const { type, end } = readItemHeader(line, bytes, at)
      items.push({ type, payload: bytes.subarray(at, end) })
      at = bytes[end] === lineFeed ? end + 1 : end
    } catch (error) {
      if (items.length === 0 || !(error instanceof CrashesError)) throw error
      return { header, items, damage: error }
    }
  }
  return { header, items }
}

function readItemHeader(line: Buffer, bytes: Buffer, at: number): { type: string; end: number } {
  const { length, type } = parseHeader(line)
  const hasLength = typeof length === 'number' && Number.isSafeInteger(length) && length >= 0
  const end = hasLength ? at + length : findLineEnd(bytes, at)
  if (end > bytes.length) throw new CrashesError('malformed', 'An item is longer than the envelope.')
  return { type: typeof type === 'string' ? type : 'unknown', end }
}

function parseHeader(line: Buffer): JsonObject {
  if (line.length > longestHeader) throw new CrashesError('too-large', 'A header of the envelope is too long.')
  return parseJsonObject(line)
}

function findLineEnd(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(lineFeed, start)
  return end < 0 ? bytes.length : end
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 32 || byte === 9 || byte === 13)
}
