import type { ZipEntry } from '@fairlead/binary'
import { SymbolsError } from '../symbols-error.ts'

/** Debug information is some five times as large as its zip, mappings ten times; hostile zips a thousand times. */
const maxRatio = 50
/** Every upload may be extracted to this many bytes, however small it is. */
const freeBytes = 64 * 2 ** 20

/** Limits the total extracted size of one upload's entries in proportion to the size of the upload. */
export class ExtractBudget {
  #bytes: number

  /** @param uploadedBytes the size of the archive that was uploaded */
  constructor(uploadedBytes: number) {
    this.#bytes = freeBytes + uploadedBytes * maxRatio
  }

  /** Takes the declared size of an entry and returns how many bytes it may have. Throws `too-large`. */
  take({ uncompressedSize }: Pick<ZipEntry, 'uncompressedSize'>, maxBytes: number): number {
    if (uncompressedSize > Math.min(this.#bytes, maxBytes)) {
      throw new SymbolsError('too-large', `${uncompressedSize} bytes are more than an upload of this size may hold.`)
    }
    this.#bytes -= uncompressedSize
    return uncompressedSize
  }

  /** The bytes that may still be taken, at most `maxBytes`, for content that does not declare its size. */
  limit(maxBytes: number): number {
    return Math.min(this.#bytes, maxBytes)
  }
}
