/**
 * Writes the details file and the cases file, which consist of consecutive blocks:
 *
 * 0 length of the frame (u32 LE) · 4 inflated length of the block (u32 LE) · 8 a zstd frame
 *
 * A block holds whole records: 4 bytes of length (u32 LE), then UTF-8. It is closed once it has 256 KiB or more, so
 * every record starts below 256 KiB and only the last one can extend beyond. A reference is one integer: the offset of
 * the block in the file × 2^18 + the offset of the record in the block.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import { constants, zstdCompressSync } from 'node:zlib'
import { ReportsError } from '../reports-error.ts'

export const blockBits = 18
const blockBytes = 2 ** blockBits
const storedLevel = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
/** A fast compression level, four times as fast as the default, for files that are read once and removed. */
const temporaryLevel = { params: { [constants.ZSTD_c_compressionLevel]: -5 } }

/** The number of bytes that one upload may still write, shared by its files. */
export interface WriteBudget {
  left: number
}

export class BlockWriter implements Disposable {
  readonly path: string
  readonly #file: number
  readonly #budget: WriteBudget
  readonly #options: typeof storedLevel
  /** The buffer of all blocks. A block with a long record gets a larger one. */
  readonly #memory = Buffer.allocUnsafe(2 * blockBytes)
  #block: Buffer = this.#memory
  #length = 0
  #offset = 0
  #isOpen = true

  constructor(path: string, budget: WriteBudget, isKept: boolean) {
    this.#options = isKept ? storedLevel : temporaryLevel
    this.path = path
    this.#budget = budget
    this.#file = openSync(path, 'wx')
  }

  /** Writes one record and returns its reference. */
  write(text: string): number {
    const reference = this.#offset * blockBytes + this.#length
    const at = this.#length + 4
    if (at + text.length * 3 > this.#block.length) this.#makeRoom(at + Buffer.byteLength(text))
    const length = this.#block.write(text, at)
    this.#block.writeUInt32LE(length, this.#length)
    this.#length = at + length
    if (this.#length >= blockBytes) this.#flush()
    return reference
  }

  /** Writes the last block and closes the file. */
  end(): void {
    this.#flush()
    this[Symbol.dispose]()
  }

  #flush(): void {
    if (this.#length === 0) return
    const frame = zstdCompressSync(this.#block.subarray(0, this.#length), this.#options)
    const head = Buffer.alloc(8)
    head.writeUInt32LE(frame.length)
    head.writeUInt32LE(this.#length, 4)
    spend(this.#budget, head.length + frame.length)
    writeFully(this.#file, head)
    writeFully(this.#file, frame)
    this.#offset += head.length + frame.length
    this.#block = this.#memory
    this.#length = 0
  }

  #makeRoom(length: number): void {
    if (length <= this.#block.length) return
    const block = Buffer.allocUnsafe(length)
    this.#block.copy(block, 0, 0, this.#length)
    this.#block = block
  }

  [Symbol.dispose](): void {
    if (this.#isOpen) closeSync(this.#file)
    this.#isOpen = false
  }
}

/** Takes a number of bytes from the budget. */
export function spend(budget: WriteBudget, bytes: number): void {
  budget.left -= bytes
  if (budget.left < 0) throw new ReportsError('too-large', 'The results of the upload are too large.')
}

export function writeFully(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
}
