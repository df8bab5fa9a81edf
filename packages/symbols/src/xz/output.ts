import { outOfRange } from '@fairlead/invariant'
import { SymbolsError } from '../symbols-error.ts'

const firstBytes = 64 * 1024

/** The decoded bytes, which are also the dictionary that matches copy from. */
export class Output {
  readonly #maxBytes: number
  #bytes: Buffer = Buffer.allocUnsafe(firstBytes)
  #dictionaryStart = 0
  length = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The number of bytes in the dictionary. */
  get position(): number {
    return this.length - this.#dictionaryStart
  }

  /** Forgets what matches may copy from. */
  startDictionary(): void {
    this.#dictionaryStart = this.length
  }

  view(): Buffer {
    return this.#bytes.subarray(0, this.length)
  }

  push(byte: number): void {
    this.#reserve(1)
    this.#bytes[this.length++] = byte
  }

  append(bytes: Buffer): void {
    this.#reserve(bytes.length)
    this.length += bytes.copy(this.#bytes, this.length)
  }

  /** The byte `distance` + 1 before the end; 0 before the dictionary's first byte. */
  back(distance: number): number {
    return distance < this.position ? (this.#bytes[this.length - distance - 1] ?? outOfRange()) : 0
  }

  /** Copies bytes that begin `distance` + 1 before the end. They may overlap with what they write. */
  copy(distance: number, length: number): void {
    if (distance >= this.position) throw damagedXz('A match begins before the dictionary.')
    this.#reserve(length)
    const bytes = this.#bytes
    let from = this.length - distance - 1
    if (distance + 1 >= length) bytes.copyWithin(this.length, from, from + length)
    else for (let to = this.length; to < this.length + length; to++) bytes[to] = bytes[from++] ?? outOfRange()
    this.length += length
  }

  #reserve(count: number): void {
    const needed = this.length + count
    if (needed <= Math.min(this.#bytes.length, this.#maxBytes)) return
    if (needed > this.#maxBytes) {
      throw new SymbolsError('too-large', `The compressed symbols have more than ${this.#maxBytes} bytes.`)
    }
    const wider = Buffer.allocUnsafe(Math.min(this.#maxBytes, Math.max(needed, this.#bytes.length * 2)))
    this.#bytes.copy(wider, 0, 0, this.length)
    this.#bytes = wider
  }
}

export function damagedXz(detail: string): SymbolsError {
  return new SymbolsError('malformed-elf', `The compressed symbols are damaged. ${detail}`)
}
