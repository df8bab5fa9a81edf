import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { constants, zstdCompressSync } from 'node:zlib'
import { BlockEncoder } from './block-encoder.ts'
import type { CodeImage } from './code-image.ts'
import {
  architectureLength,
  blockRecordLength,
  formatVersion,
  headerLength,
  magic,
  noOffset,
  regionRecordLength,
} from './format.ts'
import { RegionStrings, type StringSource } from './region-strings.ts'
import type { Scopes } from './segments.ts'

const params = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 }

const bufferedBytes = 1024 * 1024
/**
 * Initial capacity for a compressed part in bytes. Nearly every part is shorter, so it is compressed into one chunk.
 */
const chunkBytes = 64 * 1024

/** The place of a block, or of a region's strings if `start` is undefined. */
interface Part {
  start: number | undefined
  region: number
  place: number
  storedLength: number
  length: number
}

/** Writes a lookup file under a temporary name beside its path, and renames it when it is complete. */
export class LookupWriter implements Disposable {
  readonly #path: string
  readonly #descriptor: number
  readonly #strings: RegionStrings
  readonly #encoder: BlockEncoder
  readonly #parts: Part[] = []
  #regions = 0
  readonly #waiting = Buffer.allocUnsafe(bufferedBytes)
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

  /** Adds a segment. Starts must ascend. */
  push(start: number, scope: number, file: number, line: number, column: number): void {
    if (this.#encoder.isFull) this.#endBlock()
    this.#encoder.push(start, scope, file, line, column)
  }

  /** Completes the file and returns its size in bytes. */
  finish(image: CodeImage): number {
    if (!this.#encoder.isEmpty) this.#endBlock()
    this.#endRegion()
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

  /** Ends a block, and also its region if that has enough strings. */
  #endBlock(): void {
    this.#appendPart(this.#encoder.firstStart, this.#encoder.finish())
    if (this.#strings.isFull) this.#endRegion()
  }

  #endRegion(): void {
    this.#appendPart(undefined, this.#strings.finish())
    this.#regions++
  }

  #appendPart(start: number | undefined, bytes: Buffer): void {
    const stored = zstdCompressSync(bytes, { params, chunkSize: chunkBytes })
    const place = this.#written + this.#waitingBytes
    this.#parts.push({ start, region: this.#regions, place, storedLength: stored.length, length: bytes.length })
    this.#append(stored)
  }

  #toIndex(): Buffer {
    const blocks = this.#parts.length - this.#regions
    const index = Buffer.alloc(blocks * blockRecordLength + this.#regions * regionRecordLength)
    let at = 0
    for (const { start, region, ...part } of this.#parts) {
      if (start === undefined) continue
      index.writeUInt32LE(start, at)
      index.writeUInt32LE(region, at + 4)
      writePart(index, at + 8, part)
      at += blockRecordLength
    }
    for (const { start, ...part } of this.#parts) {
      if (start !== undefined) continue
      writePart(index, at, part)
      at += regionRecordLength
    }
    return index
  }

  #toHeader(image: CodeImage, indexPlace: number): Buffer {
    const header = Buffer.alloc(headerLength)
    magic.copy(header)
    header.writeUInt32LE(formatVersion, 8)
    header.writeUInt32LE(this.#parts.length - this.#regions, 12)
    Buffer.from(image.uuid.replaceAll('-', ''), 'hex').copy(header, 16)
    header.write(image.architecture.slice(0, architectureLength), 32, 'latin1')
    header.writeBigUInt64LE(BigInt(image.textAddress), 48)
    header.writeBigUInt64LE(BigInt(indexPlace), 56)
    header.writeUInt32LE(this.#regions, 64)
    header.writeUInt32LE(image.isDart ? 1 : 0, 68)
    header.writeUInt32LE(image.dart.isolate ?? noOffset, 72)
    header.writeUInt32LE(image.dart.vm ?? noOffset, 76)
    return header
  }

  #append(bytes: Buffer): void {
    if (this.#waitingBytes + bytes.length > bufferedBytes) this.#flush()
    if (bytes.length > bufferedBytes) this.#write(bytes)
    else this.#waitingBytes += bytes.copy(this.#waiting, this.#waitingBytes)
  }

  #flush(): void {
    this.#write(this.#waiting.subarray(0, this.#waitingBytes))
    this.#waitingBytes = 0
  }

  #write(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      at += writeSync(this.#descriptor, bytes, at, bytes.length - at, this.#written + at)
    }
    this.#written += bytes.length
  }

  #close(): void {
    closeSync(this.#descriptor)
    this.#open = false
  }
}

function writePart(index: Buffer, at: number, { storedLength, length, place }: Omit<Part, 'start' | 'region'>): void {
  index.writeUInt32LE(storedLength, at)
  index.writeUInt32LE(length, at + 4)
  index.writeUIntLE(place, at + 8, 6)
}
