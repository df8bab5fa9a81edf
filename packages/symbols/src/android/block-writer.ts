/** Cuts text into blocks, compresses them on other threads and appends them to the index file in order. */
import type { FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { blockSize, headerSize, maxBlockSize } from './index-format.ts'
import { NumberList } from './number-list.ts'

const compress = promisify(zstdCompress)

/** The fastest level; the next takes twice the time for a twentieth less. */
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** Blocks that are compressed before the next ones are cut. */
const maxWaiting = 32

export class BlockWriter {
  readonly lengths = new NumberList()
  readonly starts = new NumberList()
  textLength = 0
  /** Where the next block, or what comes behind the blocks, is to be written. */
  fileLength = headerSize
  readonly #file: FileHandle
  #pieces: Buffer[] = []
  #filled = 0
  #waiting: Promise<Buffer>[] = []

  constructor(file: FileHandle) {
    this.#file = file
  }

  /** Adds text. It may be cut at `cuts`, places in the whole text in rising order. */
  async write(bytes: Buffer, cuts: Uint32Array): Promise<void> {
    const start = this.textLength
    let done = 0
    for (const cut of cuts) {
      if (this.#filled + cut - start - done < blockSize) continue
      await this.#add(bytes.subarray(done, cut - start))
      if (this.#filled > 0) await this.#endBlock()
      done = cut - start
    }
    await this.#add(bytes.subarray(done))
  }

  async finish(): Promise<void> {
    if (this.#filled > 0) await this.#endBlock()
    await this.#flush()
  }

  async #add(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      // Of its own memory, because the caller reads into its buffer again.
      const piece = Buffer.from(bytes.subarray(at, at + maxBlockSize - this.#filled))
      this.#pieces.push(piece)
      this.#filled += piece.length
      this.textLength += piece.length
      at += piece.length
      if (this.#filled === maxBlockSize) await this.#endBlock()
    }
  }

  async #endBlock(): Promise<void> {
    const [only] = this.#pieces
    const block = this.#pieces.length === 1 && only ? only : Buffer.concat(this.#pieces)
    this.starts.push(this.textLength - this.#filled)
    this.#waiting.push(compress(block, compression))
    this.#pieces = []
    this.#filled = 0
    if (this.#waiting.length === maxWaiting) await this.#flush()
  }

  async #flush(): Promise<void> {
    const blocks = await Promise.all(this.#waiting)
    this.#waiting = []
    for (const { length } of blocks) this.lengths.push(length)
    const bytes = Buffer.concat(blocks)
    await writeAt(this.#file, bytes, this.fileLength)
    this.fileLength += bytes.length
  }
}

/** Writes all of `bytes` at that place of the file. */
export async function writeAt(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at)
    at += bytesWritten
  }
}
