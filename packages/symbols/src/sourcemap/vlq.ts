/**
 * Numbers of source maps: base64 digits of 6 bits, the lowest first, of which the highest bit says that another digit
 * follows. The lowest bit of a number is its sign.
 */
import { outOfRange } from '@fairlead/invariant'
import type { ByteWindow } from './byte-window.ts'

const comma = 0x2c
const semicolon = 0x3b
const backslash = 0x5c
const noDigit = 255

const digits = new Uint8Array(256).fill(noDigit)
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
for (let value = 0; value < alphabet.length; value++) digits[alphabet.charCodeAt(value)] = value

/** Why reading ended before the end of the text. */
export type VlqFault = 'no-digit' | 'too-long'

/** What a reader of such text does with it. */
export interface VlqSink {
  /**
   * A group of numbers. `count` of `fields` are set; further ones are passed over. Returns false to end the reading.
   */
  group(fields: Int32Array, count: number): boolean
  /** A semicolon. Returns false to end the reading. */
  line(): boolean
}

/** The most numbers of a group. */
const maxFields = 8

/**
 * Reads groups of numbers, separated by commas and semicolons, from the inside of a JSON string. Reading ends at the
 * first byte that is no digit and at a number of more than 32 bits, because what follows is relative to it.
 */
export function readVlq(window: ByteWindow, start: number, end: number, sink: VlqSink): VlqFault | undefined {
  const fields = new Int32Array(maxFields)
  let count = 0
  let value = 0
  let shift = 0
  for (let at = start; at < end;) {
    if ((at < window.start || at >= window.end) && !window.moveTo(at)) return 'no-digit'
    const { bytes, start: base } = window
    const last = Math.min(end, window.end) - base
    let place = at - base
    for (; place < last; place++) {
      const code = bytes[place] ?? outOfRange()
      const digit = digits[code] ?? outOfRange()
      if (digit === noDigit) {
        if ((code === comma || code === semicolon) && shift === 0) {
          if (count > 0 && !sink.group(fields, count)) return undefined
          count = 0
          if (code === semicolon && !sink.line()) return undefined
          continue
        }
        // Some tools write a slash as `\/`. The slash itself is a digit.
        if (code === backslash && window.at(base + place + 1) === 0x2f) break
        return 'no-digit'
      }
      if (shift > 30) return 'too-long'
      value |= (digit & 31) << shift
      if ((digit & 32) !== 0) {
        shift += 5
        continue
      }
      if (count < maxFields) fields[count++] = (value & 1) === 0 ? value >>> 1 : -(value >>> 1)
      value = 0
      shift = 0
    }
    // The backslash that ended the loop is passed over.
    at = base + place + (place < last ? 1 : 0)
  }
  if (shift > 0) return 'no-digit'
  if (count > 0) sink.group(fields, count)
  return undefined
}
