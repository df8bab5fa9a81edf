/**
 * A cache of frames and the lines that replace them, as bytes. A frame is cached when it occurs for the second time, so
 * that frames which occur once cost only a hash. When the cache is full it is cleared.
 *
 * The entries are in one array: u16 length of the frame, u16 length of the answer, u16 number of lines in the answer,
 * then the bytes of both.
 *
 * Slots are 16 bits of a hash and offsets come from the cache itself, so each element exists: hence `as number`. A
 * check on each byte would cost time.
 */
import { outOfRange } from '@fairlead/invariant'
import type { ByteOutput } from '../bytes/byte-output.ts'

/** The size of the hash table. */
const slotCount = 2 ** 16
/** Total bytes of the entries. */
const capacity = 8 * 1024 * 1024
/** The longest frame and the longest answer that are cached, in bytes. */
const maxLength = 1000

const entryHeadSize = 6

export class FrameAnswerCache {
  /** The hash that was seen last in each slot. */
  readonly #hashes = new Int32Array(slotCount)
  /**
   * For each slot, the offset plus one of the cached entry, whose hash may differ from the one seen last; 0 if there is
   * none.
   */
  readonly #places = new Int32Array(slotCount)
  /** The operating system provides pages of this array only when they are first written. */
  readonly #bytes = Buffer.from(new ArrayBuffer(capacity))
  #length = 0
  #slot = 0
  #occurredBefore = false

  /**
   * Appends the cached answer to the line of `bytes` from `start` to `end` and returns its number of lines; -1 if there
   * is none.
   */
  append(bytes: Buffer, start: number, end: number, output: ByteOutput): number {
    const hash = hashLine(bytes, start, end)
    const slot = hash >>> 16
    this.#slot = slot
    this.#occurredBefore = this.#hashes[slot] === hash
    if (!this.#occurredBefore) {
      this.#hashes[slot] = hash
      return -1
    }
    const place = (this.#places[slot] ?? outOfRange()) - 1
    if (place === -1 || this.#readNumber(place) !== end - start) return -1
    const kept = this.#bytes
    const lineAt = place + entryHeadSize
    for (let at = start, own = lineAt; at < end; at++, own++) if (bytes[at] !== kept[own]) return -1
    const answerAt = lineAt + end - start
    output.append(kept, answerAt, answerAt + this.#readNumber(place + 2))
    return this.#readNumber(place + 4)
  }

  /**
   * Caches what `output` holds from `answerStart` on, which is `count` lines, if the frame last looked up has occurred
   * before.
   */
  keep(bytes: Buffer, start: number, end: number, output: ByteOutput, answerStart: number, count: number): void {
    const answerLength = output.length - answerStart
    if (!this.#occurredBefore || end - start > maxLength || answerLength > maxLength) return
    if (this.#length + entryHeadSize + end - start + answerLength > capacity) {
      this.#places.fill(0)
      this.#length = 0
    }
    const place = this.#length
    this.#writeNumber(place, end - start)
    this.#writeNumber(place + 2, answerLength)
    this.#writeNumber(place + 4, count)
    const answerAt = place + entryHeadSize + end - start
    bytes.copy(this.#bytes, place + entryHeadSize, start, end)
    output.copy(this.#bytes, answerAt, answerStart)
    this.#length = answerAt + answerLength
    this.#places[this.#slot] = place + 1
  }

  #readNumber(place: number): number {
    return (this.#bytes[place] ?? outOfRange()) | ((this.#bytes[place + 1] ?? outOfRange()) << 8)
  }

  #writeNumber(place: number, value: number): void {
    this.#bytes[place] = value
    this.#bytes[place + 1] = value >>> 8
  }
}

/** Hashes four bytes at a time. Lines with the same hash only cost a cache miss. */
function hashLine(bytes: Buffer, start: number, end: number): number {
  let hash = end - start
  let at = start
  for (; at + 4 <= end; at += 4) {
    const four =
      (bytes[at] ?? outOfRange()) |
      ((bytes[at + 1] ?? outOfRange()) << 8) |
      ((bytes[at + 2] ?? outOfRange()) << 16) |
      ((bytes[at + 3] ?? outOfRange()) << 24)
    hash = Math.imul(hash ^ four, 0x9e3779b1)
    hash ^= hash >>> 15
  }
  for (; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? outOfRange()), 0x9e3779b1)
  return Math.imul(hash ^ (hash >>> 13), 0x85ebca6b) | 0
}
