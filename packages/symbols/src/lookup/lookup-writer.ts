import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import type { MachOImage } from '../macho/image.ts'
import { BlockEncoder } from './block-encoder.ts'
import {
  architectureLength,
  blockRecordLength,
  formatVersion,
  headerLength,
  magic,
  regionRecordLength,
} from './format.ts'
import { RegionStrings, type StringSource } from './region-strings.ts'
import type { Scopes } from './segments.ts'

const compress = promisify(zstdCompress)
const params = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 }

/** Parts that are compressed by other threads while the next ones are filled. */
const partsAhead = 8
const bufferedBytes = 1024 * 1024

/** A block, or the strings of a region where `start` is undefined. */
interface Part {
  start: number | undefined
  region: number
  place: number
  length: number
}

interface Compressing {
  part: Part
  bytes: Promise<Buffer>
}

/** Writes a lookup file beside its path and moves it there when it is whole. */
export class LookupWriter implements Disposable {
  readonly #path: string
  readonly #descriptor: number
  readonly #strings: RegionStrings
  readonly #encoder: BlockEncoder
  readonly #parts: Part[] = []
  readonly #compressing: Compressing[] = []
  #regions = 0
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #written = 0
  #open = true

  constructor(path: string, scopes: Scopes, strings: StringSource) {
    this.#path = path
    this.#descriptor = openSync(`${path}.part`, 'w')
    this.#strings = new RegionStrings(strings)
    this.#encoder = new BlockEncoder(scopes, this.#strings)
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

  /** Ends a block, and its region when that has enough strings. Waits only when too much is being compressed. */
  async endBlock(): Promise<void> {
    await this.#compress(this.#encoder.firstStart, this.#encoder.finish())
    if (this.#strings.isFull) await this.#endRegion()
  }

  /** Ends the file; returns its size in bytes. */
  async finish(image: MachOImage): Promise<number> {
    if (!this.#encoder.isEmpty) await this.endBlock()
    await this.#endRegion()
    while (this.#compressing.length > 0) await this.#appendNext()
    const indexPlace = this.#written + this.#waitingBytes
    const index = this.#toIndex()
    this.#append(index)
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

  async #endRegion(): Promise<void> {
    await this.#compress(undefined, this.#strings.finish())
    this.#regions++
  }

  async #compress(start: number | undefined, bytes: Buffer): Promise<void> {
    const compressed = compress(bytes, { params })
    compressed.catch(() => {}) // a failure is met where the part is appended
    this.#compressing.push({ part: { start, region: this.#regions, place: 0, length: 0 }, bytes: compressed })
    if (this.#compressing.length > partsAhead) await this.#appendNext()
  }

  async #appendNext(): Promise<void> {
    const next = this.#compressing.shift()
    if (!next) return
    const bytes = await next.bytes
    next.part.place = this.#written + this.#waitingBytes
    next.part.length = bytes.length
    this.#parts.push(next.part)
    this.#append(bytes)
  }

  #toIndex(): Buffer {
    const blocks = this.#parts.length - this.#regions
    const index = Buffer.alloc(blocks * blockRecordLength + this.#regions * regionRecordLength)
    let at = 0
    for (const { start, region, place, length } of this.#parts) {
      if (start === undefined) continue
      index.writeUInt32LE(start, at)
      index.writeUInt32LE(region, at + 4)
      index.writeUInt32LE(length, at + 8)
      index.writeUIntLE(place, at + 12, 6)
      at += blockRecordLength
    }
    for (const { start, place, length } of this.#parts) {
      if (start !== undefined) continue
      index.writeUInt32LE(length, at)
      index.writeUIntLE(place, at + 4, 6)
      at += regionRecordLength
    }
    return index
  }

  #toHeader(image: MachOImage, indexPlace: number): Buffer {
    const header = Buffer.alloc(headerLength)
    magic.copy(header)
    header.writeUInt32LE(formatVersion, 8)
    header.writeUInt32LE(this.#parts.length - this.#regions, 12)
    Buffer.from(image.uuid.replaceAll('-', ''), 'hex').copy(header, 16)
    header.write(image.architecture.slice(0, architectureLength), 32, 'latin1')
    header.writeBigUInt64LE(BigInt(image.textAddress), 48)
    header.writeBigUInt64LE(BigInt(indexPlace), 56)
    header.writeUInt32LE(this.#regions, 64)
    return header
  }

  #append(bytes: Buffer): void {
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    if (this.#waitingBytes >= bufferedBytes) this.#flush()
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#waiting)
    for (let at = 0; at < bytes.length;) {
      at += writeSync(this.#descriptor, bytes, at, bytes.length - at, this.#written + at)
    }
    this.#written += bytes.length
    this.#waiting = []
    this.#waitingBytes = 0
  }

  #close(): void {
    closeSync(this.#descriptor)
    this.#open = false
  }
}
