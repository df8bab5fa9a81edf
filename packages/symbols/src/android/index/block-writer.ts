/** Cuts text into blocks, compresses them on other threads and appends them to the index file in order. */
import type { FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { NumberList } from '../bytes/number-list.ts'
import { blockSize, headerSize, maxBlockSize } from './index-format.ts'

/**
 * The fastest level, with a window and a table of hashes that fit in the processor's caches: three quarters of the time
 * for a twentieth more. What a block
 * becomes mostly fits in one chunk.
 */
const compression = {
  params: {
    [constants.ZSTD_c_compressionLevel]: 1,
    [constants.ZSTD_c_windowLog]: 16,
    [constants.ZSTD_c_hashLog]: 12,
  },
  chunkSize: blockSize / 2,
}

/** Blocks that are compressed at a time, or wait for it: more take more memory, and the pages of it time. */
const maxWaiting = 8

/** Bytes that are written at once. */
const writeSize = 1024 * 1024

export class BlockWriter {
  readonly lengths = new NumberList()
  readonly starts = new NumberList()
  textLength = 0
  /** Where the next block, or what comes behind the blocks, is to be written. */
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
   * Adds text. It may be cut at `cuts`, places in the whole text in rising order. Its bytes must not change before the
   * next call has ended.
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
    // What is left is of the next block, which ends later.
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

/** Writes all of `bytes` at that place of the file. */
export async function writeAt(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at)
    at += bytesWritten
  }
}
