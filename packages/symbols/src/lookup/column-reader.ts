import { SymbolsError } from '../symbols-error.ts'

/** Numbers of a column, in the width that they are stored in. */
export type NumberColumn = Uint16Array | Uint32Array

/**
 * Reads the decompressed parts of a lookup file: see format.ts. A column is a view of the part's own memory, so that to decode it costs
 * nothing. Throws `malformed-lookup` past the end.
 */
export class ColumnReader {
  readonly #bytes: Buffer
  at = 0

  /** `bytes` start at a multiple of 4 in their memory. */
  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** A word of 32 bits. */
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
