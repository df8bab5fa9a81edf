import { SymbolsError } from '../symbols-error.ts'

/** The numbers of a column, in the width in which they are stored. */
export type NumberColumn = Uint16Array | Uint32Array

/**
 * Reads the decompressed parts of a lookup file, which format.ts describes. A column is a view of the part's memory, so
 * that decoding costs nothing. Throws `malformed-lookup` past the end.
 */
export class ColumnReader {
  readonly #bytes: Buffer
  at = 0

  /** `bytes` must start at a multiple of 4 in their ArrayBuffer. */
  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** Reads a number of 32 bits. */
  word(): number {
    if (this.at + 4 > this.#bytes.length) throw damaged('A part is cut off.')
    const word = this.#bytes.readUInt32LE(this.at)
    this.at += 4
    return word
  }

  column(count: number): NumberColumn {
    const width = this.word()
    const { buffer, byteOffset, length } = this.#bytes
    const start = byteOffset + this.at
    this.at += Math.ceil((count * width) / 4) * 4
    if (this.at > length) throw damaged('A column is cut off.')
    if (width === 2) return new Uint16Array(buffer, start, count)
    if (width === 4) return new Uint32Array(buffer, start, count)
    throw damaged('A column is of an unknown width.')
  }
}

export function damaged(detail: string): SymbolsError {
  return new SymbolsError('malformed-lookup', detail)
}
