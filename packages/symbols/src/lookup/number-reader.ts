import { SymbolsError } from '../symbols-error.ts'

/** Reads numbers in ULEB128 from the parts of a lookup file. Throws `malformed-lookup` past their end. */
export class NumberReader {
  readonly #bytes: Buffer
  at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** A number of things that take at least a byte each, so that no more is allocated than was there. */
  count(): number {
    const count = this.column(1)[0] as number
    if (count > this.#bytes.length) throw damaged('A column is cut off.')
    return count
  }

  columns(count: number): [Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array] {
    return [this.column(count), this.column(count), this.column(count), this.column(count), this.column(count)]
  }

  column(count: number): Uint32Array {
    const values = new Uint32Array(count)
    const bytes = this.#bytes
    let at = this.at
    for (let index = 0; index < count; index++) {
      let byte = bytes[at++] as number
      let value = byte & 0x7f
      for (let shift = 7; byte >= 0x80 && shift < 35; shift += 7) {
        byte = bytes[at++] as number
        value |= (byte & 0x7f) << shift
      }
      values[index] = value
    }
    if (at > bytes.length) throw damaged('A column is cut off.')
    this.at = at
    return values
  }
}

export function damaged(detail: string): SymbolsError {
  return new SymbolsError('malformed-lookup', detail)
}
