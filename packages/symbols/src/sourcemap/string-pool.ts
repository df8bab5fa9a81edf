import { SymbolsError } from '../symbols-error.ts'
import { maxStringBytes, maxStrings } from './limits.ts'

const chunkBytes = 2 ** 20

/** Strings with successive numbers. */
export interface StringRange {
  first: number
  count: number
}

/** Collects the strings of a lookup file. Throws `too-large`. */
export class StringPool {
  readonly chunks: Buffer[] = []
  #chunk = Buffer.allocUnsafeSlow(0)
  #used = 0
  bytes = 0
  /** Where each string begins. */
  #offsets = new Uint32Array(1024)
  count = 0

  /** Adds a string and returns its number. */
  add(bytes: Buffer): number {
    if (this.bytes + bytes.length > maxStringBytes) {
      throw new SymbolsError('too-large', `Its names of sources and functions have over ${maxStringBytes} bytes.`)
    }
    if (this.count >= maxStrings) throw new SymbolsError('too-large', `It has over ${maxStrings} names.`)
    if (this.count === this.#offsets.length) {
      const wider = new Uint32Array(this.count * 2)
      wider.set(this.#offsets)
      this.#offsets = wider
    }
    this.#offsets[this.count] = this.bytes
    this.#append(bytes)
    return this.count++
  }

  /** The offsets of all strings, and the end of the last. */
  toOffsets(): Uint32Array {
    const offsets = new Uint32Array(this.count + 1)
    offsets.set(this.#offsets.subarray(0, this.count))
    offsets[this.count] = this.bytes
    return offsets
  }

  #append(bytes: Buffer): void {
    this.bytes += bytes.length
    if (this.#used + bytes.length > this.#chunk.length) {
      this.#chunk = Buffer.allocUnsafeSlow(Math.max(chunkBytes, bytes.length))
      this.#used = 0
      this.chunks.push(this.#chunk)
    }
    bytes.copy(this.#chunk, this.#used)
    this.#used += bytes.length
    this.chunks[this.chunks.length - 1] = this.#chunk.subarray(0, this.#used)
  }
}
