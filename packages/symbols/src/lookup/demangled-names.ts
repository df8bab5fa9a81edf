import { outOfRange } from '@fairlead/invariant'
import { demangle } from '../demangle/demangle.ts'
import type { ByteWriter } from './byte-writer.ts'

/**
 * Cache of a region's demangled names by their numbers. It keeps bytes, because answers are written as bytes more often
 * than as strings.
 */
export class DemangledNames {
  readonly #form: 'full' | 'short'
  readonly #starts: Uint32Array
  readonly #ends: Uint32Array
  readonly #strings: (string | undefined)[] = []
  #bytes = Buffer.allocUnsafeSlow(4096)
  #length = 0

  constructor(count: number, form: 'full' | 'short') {
    this.#form = form
    this.#starts = new Uint32Array(count + 1)
    this.#ends = new Uint32Array(count + 1)
  }

  has(index: number): boolean {
    return (this.#ends[index] ?? outOfRange()) !== 0
  }

  /** Demangles the name in `bytes` from `start` to `end` and keeps it. */
  add(index: number, bytes: Buffer, start: number, end: number): void {
    const name = Buffer.from(demangle(bytes.toString('utf8', start, end), { form: this.#form }))
    this.#starts[index] = this.#length
    if (this.#length + name.length > this.#bytes.length) {
      const wider = Buffer.allocUnsafeSlow((this.#length + name.length) * 2)
      this.#bytes.copy(wider, 0, 0, this.#length)
      this.#bytes = wider
    }
    this.#length += name.copy(this.#bytes, this.#length)
    this.#ends[index] = this.#length
  }

  find(index: number): string {
    return (this.#strings[index] ??= this.#bytes.toString('utf8', this.#starts[index], this.#ends[index]))
  }

  append(index: number, writer: ByteWriter): void {
    writer.append(this.#bytes, this.#starts[index], this.#ends[index])
  }
}
