import { outOfRange } from '@fairlead/invariant'
import { openFileBytes } from '../bytes/file-bytes.ts'
import { SymbolsError } from '../symbols-error.ts'
import { PartCache } from '../lookup/part-cache.ts'
import { damaged, type Part } from './format.ts'

const chunkBytes = 64 * 1024

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

  /** A number of a table. */
  word({ offset, length }: Part, index: number): number {
    if (index < 0 || index >= length) throw damaged()
    const chunk = Math.floor((index * 4) / chunkBytes)
    const words = this.#words.require(offset + chunk * chunkBytes, () => {
      const bytes = this.read(offset + chunk * chunkBytes, Math.min(chunkBytes, length * 4 - chunk * chunkBytes))
      return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
    })
    return words[index - (chunk * chunkBytes) / 4] ?? outOfRange()
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
