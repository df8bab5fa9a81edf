import { SymbolsError } from '../symbols-error.ts'

/** Numbers of a column, in as little memory as they fit into. */
export type NumberColumn = Uint16Array | Uint32Array

/** Reads numbers in ULEB128 from the parts of a lookup file. Throws `malformed-lookup` past their end, and for numbers that are too high. */
export class NumberReader {
  readonly #bytes: Buffer
  at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** A number of things that take at least a byte each, so that no more is allocated than was there. */
  count(): number {
    return this.column(1, this.#bytes.length)[0] as number
  }

  /** Numbers of which none is above `most`. */
  column(count: number, most: number): NumberColumn {
    const values = most > 0xffff ? new Uint32Array(count) : new Uint16Array(count)
    const bytes = this.#bytes
    let at = this.at
    let highest = 0
    for (let index = 0; index < count; index++) {
      let byte = bytes[at++] as number
      let value = byte
      if (byte >= 0x80) {
        value = byte & 0x7f
        for (let shift = 7; byte >= 0x80 && shift < 35; shift += 7) {
          byte = bytes[at++] as number
          value |= (byte & 0x7f) << shift
        }
        value >>>= 0
      }
      if (value > highest) highest = value
      values[index] = value
    }
    if (at > bytes.length) throw damaged('A column is cut off.')
    if (highest > most) throw damaged('A number points nowhere.')
    this.at = at
    return values
  }

  /** Numbers of up to 32 bits, in 16 where all of them fit. */
  smallColumn(count: number): NumberColumn {
    return narrow(this.column(count, 0xffffffff))
  }
}

export function narrow(values: NumberColumn): NumberColumn {
  for (let index = 0; index < values.length; index++) if ((values[index] as number) > 0xffff) return values
  return new Uint16Array(values)
}

export function damaged(detail: string): SymbolsError {
  return new SymbolsError('malformed-lookup', detail)
}
