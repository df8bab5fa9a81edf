import { outOfRange } from '@fairlead/invariant'
import { openFileBytes } from '../bytes/file-bytes.ts'
import { SymbolsError } from '../symbols-error.ts'
import { PartCache } from '../lookup/part-cache.ts'
import { damaged, type Part } from './format.ts'

const chunkWords = 16 * 1024
/** Tables of up to 8 MiB are read as a whole at their first use. */
const maxWholeWords = 2 * 2 ** 20

export interface Table {
  readonly length: number
  /** A number of the table. Throws `malformed-lookup` beyond its end. */
  at(index: number): number
}

/** Reads a file in chunks that are kept in memory up to a limit. */
export class ChunkedFile implements Disposable {
  readonly #source: ReturnType<typeof openFileBytes>
  readonly #words: PartCache<Uint32Array>
  readonly size: number

  constructor(path: string, cacheBytes: number) {
    this.#source = openFileBytes(path)
    this.size = this.#source.size
    this.#words = new PartCache(cacheBytes)
  }

  /** The bytes of a range, in memory of their own, so that numbers in it are aligned. Throws `malformed-lookup`. */
  read(offset: number, length: number): Buffer {
    if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(length)) throw damaged()
    if (offset < 0 || length < 0 || offset + length > this.size) throw damaged()
    const bytes = Buffer.allocUnsafeSlow(length)
    if (length > 0) this.#source.readInto(bytes, offset)
    return bytes
  }

  /** A table of numbers: all of it in memory if it is small, else chunks of it. */
  openTable({ offset, length }: Part): Table {
    const readWords = (from: number, count: number): Uint32Array => {
      const bytes = this.read(offset + from * 4, count * 4)
      return new Uint32Array(bytes.buffer, bytes.byteOffset, count)
    }
    let all: Uint32Array | undefined
    return {
      length,
      at: (index) => {
        if (index < 0 || index >= length) throw damaged()
        if (length <= maxWholeWords) return (all ??= readWords(0, length))[index] ?? outOfRange()
        const chunk = Math.floor(index / chunkWords)
        const start = chunk * chunkWords
        const read = () => readWords(start, Math.min(chunkWords, length - start))
        return this.#words.require(offset + start * 4, read)[index - start] ?? outOfRange()
      },
    }
  }

  [Symbol.dispose](): void {
    this.#source[Symbol.dispose]()
  }
}

/** Opens the file, and names what fails. */
export function openChunked(path: string, cacheBytes: number): ChunkedFile {
  try {
    return new ChunkedFile(path, cacheBytes)
  } catch (error) {
    throw error instanceof SymbolsError ? error : damaged(error)
  }
}
