import type { FileBytes } from '../bytes/file-bytes.ts'
import { outOfRange } from '@fairlead/invariant'

const windowBytes = 2 ** 20

/** Reads a file byte by byte with a window of it in memory. It is fast for reads that go forward. */
export class ByteWindow {
  readonly size: number
  readonly #source: FileBytes
  /** The bytes of the file from `start` on, up to `end`, for loops that cannot afford a call for each byte. */
  readonly bytes: Buffer
  start = 0
  end = 0

  constructor(source: FileBytes) {
    this.#source = source
    this.size = source.size
    this.bytes = Buffer.allocUnsafeSlow(Math.max(1, Math.min(windowBytes, source.size)))
  }

  /** The byte at a position; −1 behind the end. */
  at(position: number): number {
    if (position >= this.start && position < this.end) return this.bytes[position - this.start] ?? outOfRange()
    return this.#refill(position)
  }

  /** A copy of the bytes in a range of the file. */
  slice(start: number, end: number): Buffer {
    return Buffer.from(this.#source.read(start, end - start))
  }

  /** Moves the window so that it begins at a position. Returns false at the end of the file. */
  moveTo(position: number): boolean {
    return this.#refill(position) >= 0
  }

  #refill(position: number): number {
    if (position < 0 || position >= this.size) return -1
    const end = Math.min(this.size, position + this.bytes.length)
    this.#source.readInto(this.bytes.subarray(0, end - position), position)
    this.start = position
    this.end = end
    return this.bytes[0] ?? outOfRange()
  }
}
