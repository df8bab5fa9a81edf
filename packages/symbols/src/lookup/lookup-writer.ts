import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import type { MachOImage } from '../macho/image.ts'
import { BlockEncoder, type Strings } from './block-encoder.ts'
import { architectureLength, formatVersion, headerLength, indexEndLength, indexRecordLength, magic } from './format.ts'
import type { Scopes } from './segments.ts'

const compress = promisify(zstdCompress)
const params = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 }

/** Blocks that are compressed by other threads while the next ones are filled. */
const blocksAhead = 8
const bufferedBytes = 1024 * 1024

/** Writes a lookup file beside its path and moves it there when it is whole. */
export class LookupWriter implements Disposable {
  readonly #path: string
  readonly #descriptor: number
  readonly #encoder: BlockEncoder
  readonly #starts: number[] = []
  readonly #places: number[] = []
  readonly #compressing: { start: number; compressed: Promise<Buffer> }[] = []
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #written = 0
  #open = true

  constructor(path: string, scopes: Scopes, strings: Strings) {
    this.#path = path
    this.#descriptor = openSync(`${path}.part`, 'w')
    this.#encoder = new BlockEncoder(scopes, strings)
    this.#append(Buffer.alloc(headerLength))
  }

  /** Whether the block is full, so that `endBlock` is due before the next segment. */
  get isFull(): boolean {
    return this.#encoder.isFull
  }

  /** The next segment; starts rise. */
  push(start: number, scope: number, file: number, line: number, column: number): void {
    this.#encoder.push(start, scope, file, line, column)
  }

  /** Ends a block. Waits only when too many blocks are being compressed. */
  async endBlock(): Promise<void> {
    const start = this.#encoder.firstStart
    const compressed = compress(this.#encoder.finish(), { params })
    compressed.catch(() => {}) // a failure is met where the block is appended
    this.#compressing.push({ start, compressed })
    if (this.#compressing.length > blocksAhead) await this.#appendNext()
  }

  /** Ends the file; returns its size in bytes. */
  async finish(image: MachOImage): Promise<number> {
    if (!this.#encoder.isEmpty) await this.endBlock()
    while (this.#compressing.length > 0) await this.#appendNext()
    const indexPlace = this.#place
    this.#append(this.#toIndex())
    this.#flush()
    writeSync(this.#descriptor, this.#toHeader(image, indexPlace), 0, headerLength, 0)
    this.#close()
    renameSync(`${this.#path}.part`, this.#path)
    return this.#written
  }

  [Symbol.dispose](): void {
    if (!this.#open) return
    this.#close()
    rmSync(`${this.#path}.part`, { force: true })
  }

  get #place(): number {
    return this.#written + this.#waitingBytes
  }

  async #appendNext(): Promise<void> {
    const next = this.#compressing.shift()
    if (!next) return
    const bytes = await next.compressed
    this.#starts.push(next.start)
    this.#places.push(this.#place)
    this.#append(bytes)
  }

  #toIndex(): Buffer {
    const index = Buffer.alloc(this.#starts.length * indexRecordLength + indexEndLength)
    for (const [block, start] of this.#starts.entries()) {
      index.writeUInt32LE(start, block * indexRecordLength)
      index.writeUIntLE(this.#places[block] as number, block * indexRecordLength + 4, 6)
    }
    index.writeUIntLE(this.#place, this.#starts.length * indexRecordLength, 6)
    return index
  }

  #toHeader(image: MachOImage, indexPlace: number): Buffer {
    const header = Buffer.alloc(headerLength)
    magic.copy(header)
    header.writeUInt32LE(formatVersion, 8)
    header.writeUInt32LE(this.#starts.length, 12)
    Buffer.from(image.uuid.replaceAll('-', ''), 'hex').copy(header, 16)
    header.write(image.architecture.slice(0, architectureLength), 32, 'latin1')
    header.writeBigUInt64LE(BigInt(image.textAddress), 48)
    header.writeBigUInt64LE(BigInt(indexPlace), 56)
    return header
  }

  #append(bytes: Buffer): void {
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    if (this.#waitingBytes >= bufferedBytes) this.#flush()
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#waiting)
    for (let at = 0; at < bytes.length;)
      at += writeSync(this.#descriptor, bytes, at, bytes.length - at, this.#written + at)
    this.#written += bytes.length
    this.#waiting = []
    this.#waitingBytes = 0
  }

  #close(): void {
    closeSync(this.#descriptor)
    this.#open = false
  }
}
