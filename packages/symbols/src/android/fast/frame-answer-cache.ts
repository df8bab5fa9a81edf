/**
 * Answers to frames that come again in a log, as bytes. A line is kept when it comes the second time, so that lines
 * that come once cost no more than a look. When the room is full, it begins anew.
 *
 * A kept line stands in one array with its answer: u16 length of the line, u16 length of the answer, u16 lines of the
 * answer, the bytes of the line and those of the answer.
 */
import type { ByteOutput } from '../bytes/byte-output.ts'

/** Places for hashes of lines. */
const slots = 2 ** 16
/** Bytes of lines and answers. */
const room = 8 * 1024 * 1024
/** Longer lines and answers are not kept. */
const maxLength = 1000

const headSize = 6

export class FrameAnswerCache {
  /** The hash that was met last in each slot. */
  readonly #hashes = new Int32Array(slots)
  /** One more than where a line with a hash of that slot is kept, maybe another than was met last; 0 where none is. */
  readonly #places = new Int32Array(slots)
  /** Takes no memory where nothing was written yet. */
  readonly #bytes = Buffer.from(new ArrayBuffer(room))
  #length = 0
  #slot = 0
  #wasMet = false

  /** Appends the answer to the line of `bytes` from `start` to `end`, and tells its lines; -1 where it is not kept. */
  restore(bytes: Buffer, start: number, end: number, output: ByteOutput): number {
    const hash = hashLine(bytes, start, end)
    const slot = hash >>> 16
    this.#slot = slot
    this.#wasMet = this.#hashes[slot] === hash
    if (!this.#wasMet) {
      this.#hashes[slot] = hash
      return -1
    }
    const place = (this.#places[slot] as number) - 1
    if (place === -1 || this.#readNumber(place) !== end - start) return -1
    const kept = this.#bytes
    const lineAt = place + headSize
    for (let at = start, own = lineAt; at < end; at++, own++) if (bytes[at] !== kept[own]) return -1
    const answerAt = lineAt + end - start
    output.append(kept, answerAt, answerAt + this.#readNumber(place + 2))
    return this.#readNumber(place + 4)
  }

  /** Keeps what `output` holds from `answerStart` on, `count` lines, if the line last asked for had come before. */
  keep(bytes: Buffer, start: number, end: number, output: ByteOutput, answerStart: number, count: number): void {
    const answerLength = output.length - answerStart
    if (!this.#wasMet || end - start > maxLength || answerLength > maxLength) return
    if (this.#length + headSize + end - start + answerLength > room) {
      this.#places.fill(0)
      this.#length = 0
    }
    const place = this.#length
    this.#writeNumber(place, end - start)
    this.#writeNumber(place + 2, answerLength)
    this.#writeNumber(place + 4, count)
    const answerAt = place + headSize + end - start
    bytes.copy(this.#bytes, place + headSize, start, end)
    output.copy(this.#bytes, answerAt, answerStart)
    this.#length = answerAt + answerLength
    this.#places[this.#slot] = place + 1
  }

  #readNumber(place: number): number {
    return (this.#bytes[place] as number) | ((this.#bytes[place + 1] as number) << 8)
  }

  #writeNumber(place: number, value: number): void {
    this.#bytes[place] = value
    this.#bytes[place + 1] = value >>> 8
  }
}

/** Of four bytes at a time. Different lines may have one hash, which costs no more than the answer. */
function hashLine(bytes: Buffer, start: number, end: number): number {
  let hash = end - start
  let at = start
  for (; at + 4 <= end; at += 4) {
    const four =
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24)
    hash = Math.imul(hash ^ four, 0x9e3779b1)
    hash ^= hash >>> 15
  }
  for (; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x9e3779b1)
  return Math.imul(hash ^ (hash >>> 13), 0x85ebca6b) | 0
}
