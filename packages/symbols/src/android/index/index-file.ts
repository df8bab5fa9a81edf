/** An open index file: its tables are in memory, its text is read block by block. See index-format.ts. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { crc32, zstdDecompressSync } from 'node:zlib'
import { outOfRange } from '@fairlead/invariant'
import { lowerBoundNear } from '../../sorted/search.ts'
import { SymbolsError } from '../../symbols-error.ts'
import type { TextRange } from '../bytes/text-range.ts'
import { ClockCache } from '../cache/clock-cache.ts'
import {
  headerSize,
  type IndexHeader,
  type MappingDescription,
  maxBlockSize,
  parseIndexHeader,
  sizeOfTables,
} from './index-format.ts'

/** Sorted hashes of class names, and for each hash the number of its class. */
export interface HashTable {
  readonly hashes: Uint32Array
  readonly classes: Uint32Array
}

export class IndexFile implements Disposable {
  readonly description: MappingDescription
  readonly textLength: number
  /** Offset of each class in the text. */
  readonly classStarts: Uint32Array
  readonly classVersions: Uint8Array
  readonly byObfuscated: HashTable
  readonly byOriginal: HashTable
  readonly #file: number
  readonly #blockStarts: Uint32Array
  /** Offset of each block in the file, and of the end of the last block. */
  readonly #blockPlaces: Float64Array
  readonly #blockCache: ClockCache<Buffer>
  /** A reusable buffer for compressed blocks. */
  #compressed = Buffer.alloc(0)
  #isClosed = false

  /** Reads the tables. If this throws, the caller still has to close `file`. */
  constructor(file: number, cacheBytes: number) {
    this.#file = file
    const header = readHeader(file)
    const { blockCount, classCount, textLength } = header
    const tables = readTables(file, header)
    let at = 0
    const takeNumbers = (count: number): Uint32Array => {
      const numbers = new Uint32Array(tables, at, count)
      at += numbers.byteLength
      return numbers
    }
    this.textLength = textLength
    this.#blockCache = new ClockCache(blockCount, cacheBytes, (block) => block.length)
    this.#blockPlaces = toBlockPlaces(takeNumbers(blockCount), header)
    this.#blockStarts = takeNumbers(blockCount)
    this.classStarts = takeNumbers(classCount)
    this.byObfuscated = { hashes: takeNumbers(classCount), classes: takeNumbers(classCount) }
    this.byOriginal = { hashes: takeNumbers(classCount), classes: takeNumbers(classCount) }
    this.classVersions = new Uint8Array(tables, at, classCount)
    // This package wrote the JSON, and the checksum covers it.
    const description: MappingDescription = JSON.parse(Buffer.from(tables, at + classCount).toString('utf8'))
    this.description = description
  }

  /** The text from `start` to `end`. It is a view of a cached block unless it spans several blocks. */
  findText(start: number, end: number): TextRange {
    const number = this.#findBlock(start)
    const blockStart = this.#startOfBlock(number)
    if (end > (this.#blockStarts[number + 1] ?? this.textLength)) {
      const bytes = this.#joinText(start, end)
      return { bytes, start: 0, end: bytes.length }
    }
    const bytes = this.#readBlock(number)
    if (bytes.length < end - blockStart) throw new SymbolsError('malformed-lookup', 'A block is too short.')
    return { bytes, start: start - blockStart, end: end - blockStart }
  }

  [Symbol.dispose](): void {
    if (!this.#isClosed) closeSync(this.#file)
    this.#isClosed = true
  }

  #joinText(start: number, end: number): Buffer {
    const pieces: Buffer[] = []
    let at = start
    while (at < end) {
      const number = this.#findBlock(at)
      const from = at - this.#startOfBlock(number)
      const piece = this.#readBlock(number).subarray(from, from + end - at)
      if (piece.length === 0) throw new SymbolsError('malformed-lookup', 'A block is too short.')
      pieces.push(piece)
      at += piece.length
    }
    return Buffer.concat(pieces)
  }

  /** The number of the block that contains an offset. Most blocks have the same length, so the guess is close. */
  #findBlock(place: number): number {
    const starts = this.#blockStarts
    return lowerBoundNear(starts, place + 1, Math.floor((place / this.textLength) * starts.length)) - 1
  }

  #startOfBlock(number: number): number {
    const start = this.#blockStarts[number]
    if (start === undefined) throw new SymbolsError('malformed-lookup', 'A block is missing.')
    return start
  }

  #readBlock(number: number): Buffer {
    const cached = this.#blockCache.get(number)
    if (cached) return cached
    const start = this.#blockPlaces[number]
    const end = this.#blockPlaces[number + 1]
    if (start === undefined || end === undefined) throw new SymbolsError('malformed-lookup', 'A block is missing.')
    if (end - start > this.#compressed.length) this.#compressed = Buffer.allocUnsafeSlow(end - start)
    const compressed = this.#compressed.subarray(0, end - start)
    readFully(this.#file, compressed, start)
    const length = (this.#blockStarts[number + 1] ?? this.textLength) - this.#startOfBlock(number)
    return this.#blockCache.add(number, decompress(compressed, length))
  }
}

/** Opens the index file at `path` and keeps at most `cacheBytes` of text in memory. */
export function openIndexFile(path: string, cacheBytes: number): IndexFile {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (cause) {
    throw new SymbolsError('unreadable', path, { cause })
  }
  try {
    return new IndexFile(file, cacheBytes)
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/**
 * The index of the first hash that is at least `wanted`. Hashes are evenly distributed, so their position is nearly
 * known.
 */
export function findHash(hashes: Uint32Array, wanted: number): number {
  const density = hashes.length / 2 ** 32
  const guess = Math.floor(wanted * density)
  return lowerBoundNear(hashes, wanted, guess + Math.round((wanted - (hashes[guess] ?? wanted)) * density))
}

function decompress(compressed: Buffer, length: number): Buffer {
  // The buffer is a little larger than the block, so that zstd returns it in one piece and does not copy it.
  const chunkSize = Math.min(Math.max(length, 0), maxBlockSize) + 64
  try {
    return zstdDecompressSync(compressed, { maxOutputLength: maxBlockSize, chunkSize })
  } catch (cause) {
    throw new SymbolsError('malformed-lookup', 'A block cannot be decompressed.', { cause })
  }
}

function readHeader(file: number): IndexHeader {
  const bytes = Buffer.alloc(headerSize)
  readFully(file, bytes, 0)
  const header = parseIndexHeader(bytes)
  if (header === undefined) throw new SymbolsError('malformed-lookup', 'The file is not the index of a mapping.')
  if (header === 'outdated') throw new SymbolsError('outdated-lookup')
  if (header.tableStart + sizeOfTables(header) !== fstatSync(file).size) {
    throw new SymbolsError('malformed-lookup', 'The length of the file differs from its header.')
  }
  return header
}

function readTables(file: number, header: IndexHeader): ArrayBuffer {
  const tables = new ArrayBuffer(sizeOfTables(header))
  readFully(file, Buffer.from(tables), header.tableStart)
  if (crc32(Buffer.from(tables)) !== header.tableChecksum) {
    throw new SymbolsError('malformed-lookup', 'The checksum of the tables is wrong.')
  }
  return tables
}

function toBlockPlaces(lengths: Uint32Array, { tableStart }: IndexHeader): Float64Array {
  const places = new Float64Array(lengths.length + 1)
  places[0] = headerSize
  for (const [number, length] of lengths.entries()) places[number + 1] = (places[number] ?? outOfRange()) + length
  if (places[lengths.length] !== tableStart)
    throw new SymbolsError('malformed-lookup', 'The lengths of the blocks differ from the header.')
  return places
}

function readFully(file: number, bytes: Buffer, position: number): void {
  let at = 0
  while (at < bytes.length) {
    const read = readSync(file, bytes, at, bytes.length - at, position + at)
    if (read === 0) throw new SymbolsError('malformed-lookup', 'The file is truncated.')
    at += read
  }
}
