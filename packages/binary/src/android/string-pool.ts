/**
 * A pool of strings, addressed by index. After the chunk's first 8 bytes:
 *   8 string count · 12 style count · 16 flags (bit 8: UTF-8) · 20 start of the strings, from the chunk's start
 *   24 start of the styles · 28 one u32 per string: its offset from the start of the strings
 * In UTF-16, the length in code units is a u16, or two of them if the high bit is set. In UTF-8 there are two lengths,
 * in UTF-16 code units and then in bytes, each of one byte, or of two if the high bit is set. Supplementary characters
 * may be written as two surrogates of three bytes each (CESU-8).
 *
 * Strings are decoded lazily, because a small pool can refer a million times to one long string.
 */
import type { Bytes } from '../source/paged-bytes.ts'
import { BinaryError } from '../binary-error.ts'
import type { Chunk } from './chunk.ts'

const utf8Flag = 0x100
/** More than Android itself writes (32,767 code units). All strings decoded from one pool share the budget below. */
const longestString = 0x8000 * 3
const decodedBudget = 8 * 1024 * 1024

export interface StringPool {
  /**
   * Returns the string with that index, or undefined if the pool has none.
   *
   * @throws BinaryError `too-large` once the decoded strings exceed the pool's budget.
   */
  at(index: number): string | undefined
}

export function readStringPool(bytes: Bytes, chunk: Chunk): StringPool {
  const count = bytes.readUInt32LE(chunk.start + 8)
  const isUtf8 = (bytes.readUInt32LE(chunk.start + 16) & utf8Flag) !== 0
  const strings = chunk.start + bytes.readUInt32LE(chunk.start + 20)
  const decoded = new Map<number, string | undefined>()
  let budget = decodedBudget

  function decode(index: number): string | undefined {
    const slot = chunk.body + index * 4
    if (index >= count || slot + 4 > chunk.end) return undefined
    const start = strings + bytes.readUInt32LE(slot)
    if (start + 2 > chunk.end) return undefined
    const range = isUtf8 ? locateUtf8(bytes, start) : locateUtf16(bytes, start)
    if (range.end > chunk.end || range.end - range.start > longestString) return undefined
    budget -= range.end - range.start
    if (budget < 0) throw new BinaryError('too-large', 'It contains too much text.')
    const slice = bytes.subarray(range.start, range.end)
    return isUtf8 ? decodeUtf8(slice) : slice.toString('utf16le')
  }

  return {
    at(index) {
      if (!decoded.has(index)) decoded.set(index, decode(index))
      return decoded.get(index)
    },
  }
}

interface Range {
  start: number
  end: number
}

function locateUtf16(bytes: Bytes, at: number): Range {
  const first = bytes.readUInt16LE(at)
  if ((first & 0x8000) === 0) return { start: at + 2, end: at + 2 + first * 2 }
  const units = ((first & 0x7fff) << 16) | bytes.readUInt16LE(at + 2)
  return { start: at + 4, end: at + 4 + units * 2 }
}

function locateUtf8(bytes: Bytes, at: number): Range {
  const lengthAt = at + ((bytes.readUInt8(at) & 0x80) === 0 ? 1 : 2)
  const first = bytes.readUInt8(lengthAt)
  if ((first & 0x80) === 0) return { start: lengthAt + 1, end: lengthAt + 1 + first }
  const length = ((first & 0x7f) << 8) | bytes.readUInt8(lengthAt + 1)
  return { start: lengthAt + 2, end: lengthAt + 2 + length }
}

/** Joins surrogates that are written as three bytes each (CESU-8: ED A0…BF). Nearly every string is plain UTF-8. */
function decodeUtf8(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  if (!text.includes('\uFFFD') || !bytes.includes(0xed)) return text
  return text.length === 0 ? text : decodeSurrogates(bytes)
}

function decodeSurrogates(bytes: Buffer): string {
  const parts: string[] = []
  let plainStart = 0
  for (let at = bytes.indexOf(0xed); at !== -1 && at + 2 < bytes.length; at = bytes.indexOf(0xed, at + 1)) {
    const second = bytes.readUInt8(at + 1)
    if (second < 0xa0) continue
    parts.push(bytes.toString('utf8', plainStart, at))
    parts.push(String.fromCharCode(0xd000 | ((second & 0x3f) << 6) | (bytes.readUInt8(at + 2) & 0x3f)))
    plainStart = at + 3
  }
  parts.push(bytes.toString('utf8', plainStart))
  return parts.join('')
}
