/** Splits text into blocks, compresses them on the thread pool and appends them to the index file in order. */
import type { FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { NumberList } from '../bytes/number-list.ts'
import { blockSize, headerSize, maxBlockSize } from './index-format.ts'

/**
 * Level 1 of zstd, with a window and a hash table that fit in the CPU caches: it takes three quarters of the time and
 * the result is 5 % larger. Most compressed blocks fit in one chunk.
 */
const compression = {
  params: {
    [constants.ZSTD_c_compressionLevel]: 1,
    [constants.ZSTD_c_windowLog]: 16,
    [constants.ZSTD_c_hashLog]: 12,
  },
  chunkSize: blockSize / 2,
}

/** How many blocks may be in compression at once. More of them cost memory, and page faults cost time. */
const maxWaiting = 8

/** Compressed bytes are collected and written in pieces of at least this size. */
const writeSize = 1024 * 1024

export class BlockWriter {
  readonly lengths = new NumberList()
  readonly starts = new NumberList()
  textLength = 0
  /** The offset in the file of the next block or, after the last block, of the tables. */
  fileLength = headerSize
  readonly #file: FileHandle
  readonly #compress = promisify(zstdCompress)
  #pieces: Buffer[] = []
  #filled = 0
  readonly #waiting: Promise<Buffer>[] = []
  #done: Buffer[] = []
  #doneLength = 0

  constructor(file: FileHandle) {
    this.#file = file
  }

  /**
   * Appends text. A block may end at each of `cuts`, which are ascending offsets in the whole text. The caller must not
   * change `bytes` before the next call has returned.
   */
  async write(bytes: Buffer, cuts: Uint32Array): Promise<void> {
    const earlier = this.starts.length
    const start = this.textLength
    let done = 0
    for (const cut of cuts) {
      if (this.#filled + cut - start - done < blockSize) continue
      await this.#add(bytes.subarray(done, cut - start))
      if (this.#filled > 0) await this.#endBlock()
      done = cut - start
    }
    // The rest belongs to the next block, which outlives this call, so it is copied.
    await this.#add(Buffer.from(bytes.subarray(done)))
    while (this.lengths.length < earlier) await this.#takeFirst()
  }

  async finish(): Promise<void> {
    if (this.#filled > 0) await this.#endBlock()
    while (this.#waiting.length > 0) await this.#takeFirst()
    await this.#writeDone()
  }

  async #add(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const piece = bytes.subarray(at, at + maxBlockSize - this.#filled)
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
    this.#waiting.push(this.#compress(block, compression))
    this.#pieces = []
    this.#filled = 0
    if (this.#waiting.length === maxWaiting) await this.#takeFirst()
  }

  async #takeFirst(): Promise<void> {
    const block = await this.#waiting.shift()
    if (!block) return
    this.lengths.push(block.length)
    this.#done.push(block)
    this.#doneLength += block.length
    if (this.#doneLength >= writeSize) await this.#writeDone()
  }

  async #writeDone(): Promise<void> {
    const bytes = Buffer.concat(this.#done)
    this.#done = []
    this.#doneLength = 0
    await writeAt(this.#file, bytes, this.fileLength)
    this.fileLength += bytes.length
  }
}

/** Writes all of `bytes` at an offset of the file. */
export async function writeAt(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at)
    at += bytesWritten
  }
}
