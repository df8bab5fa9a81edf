/** A mapping whose index file is open. Reads classes on demand; the format is specified in index-format.ts. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { crc32, zstdDecompressSync } from 'node:zlib'
import { SymbolsError } from '../symbols-error.ts'
import { type ClassMapping, parseClassMapping } from './class-mapping.ts'
import {
  blockSize,
  hashName,
  headerSize,
  type IndexHeader,
  type MappingDescription,
  type MappingHeader,
  parseIndexHeader,
  sizeOfTables,
} from './index-format.ts'
import { type MemberMapping, parseMemberMapping } from './member-mapping.ts'
import { WeightedCache } from './weighted-cache.ts'

export interface MappingOptions {
  /** Bytes of uncompressed text to keep, 64 MiB unless told. One trace needs about one MiB. */
  readonly cacheBytes?: number
}

/** More of one class is not read. */
const maxClassLength = 16 * 1024 * 1024
/** Classes of one name beyond this are not looked at. */
const maxNamesakes = 16
const maxWarnings = 100
/** Line ranges kept; each is some 300 bytes. */
const maxCachedRanges = 32_768
const maxCachedClasses = 8192

/** Opens the index file at `indexPath`. Throws `SymbolsError`: `unreadable`, `malformed-lookup`, `outdated-lookup`. */
export function openMapping(indexPath: string, options: MappingOptions = {}): Mapping {
  let file: number
  try {
    file = openSync(indexPath, 'r')
  } catch (cause) {
    throw new SymbolsError('unreadable', indexPath, { cause })
  }
  try {
    return new Mapping(file, options.cacheBytes ?? 64 * 1024 * 1024)
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/** Close it when done: `using mapping = openMapping(path)`. */
export class Mapping implements Disposable {
  readonly header: MappingHeader
  readonly classCount: number
  readonly #warnings: Set<string>
  readonly #file: number
  readonly #textLength: number
  /** Place in the file of each block, and of the end of the last. */
  readonly #blockStarts: Float64Array
  readonly #classStarts: Uint32Array
  readonly #byObfuscated: HashTable
  readonly #byOriginal: HashTable
  readonly #versions: Buffer
  readonly #blocks: WeightedCache<number, Buffer>
  readonly #classes = new WeightedCache<string, readonly ClassMapping[]>(maxCachedClasses)
  readonly #sourceFiles = new WeightedCache<string, { fileName: string | undefined }>(maxCachedClasses)
  readonly #members = new WeightedCache<string, MemberMapping>(maxCachedRanges)
  #isClosed = false

  /** Takes over `file`, an open index file. */
  constructor(file: number, cacheBytes: number) {
    this.#file = file
    this.#blocks = new WeightedCache(cacheBytes)
    const header = readHeader(file)
    const tables = readTables(file, header)
    const { blockCount, classCount } = header
    let at = 0
    const takeNumbers = (count: number): Uint32Array => {
      const numbers = new Uint32Array(tables, at, count)
      at += 4 * count
      return numbers
    }
    this.#blockStarts = toBlockStarts(takeNumbers(blockCount), header)
    this.#classStarts = takeNumbers(classCount)
    this.#byObfuscated = { hashes: takeNumbers(classCount), classes: takeNumbers(classCount) }
    this.#byOriginal = { hashes: takeNumbers(classCount), classes: takeNumbers(classCount) }
    this.#versions = Buffer.from(tables, at, classCount)
    const description = parseDescription(Buffer.from(tables, at + classCount))
    this.header = description.header
    this.classCount = classCount
    this.#textLength = header.textLength
    this.#warnings = new Set(description.warnings)
  }

  /** What was wrong with the mapping, as far as it was read. */
  get warnings(): readonly string[] {
    return [...this.#warnings]
  }

  warn(warning: string): void {
    if (this.#warnings.size < maxWarnings) this.#warnings.add(warning)
  }

  /** The classes that have this name in the obfuscated program: none, one, or several by a fault of the mapping. */
  findClasses(obfuscated: string): readonly ClassMapping[] {
    const cached = this.#classes.get(obfuscated)
    if (cached) return cached
    const found = this.#findByHash(this.#byObfuscated, obfuscated).filter((it) => it.obfuscated === obfuscated)
    this.#classes.set(obfuscated, found, 1)
    return found
  }

  /** The source file of the class of this original name, where the mapping names it. */
  findSourceFile(original: string): string | undefined {
    const cached = this.#sourceFiles.get(original)
    if (cached) return cached.fileName
    const fileName = this.#findByHash(this.#byOriginal, original).findLast(
      (it) => it.original === original && it.fileName !== undefined,
    )?.fileName
    this.#sourceFiles.set(original, { fileName }, 1)
    return fileName
  }

  /** What the mapping of that class says about members named `renamed` in the obfuscated program. */
  readMembers({ number }: ClassMapping, renamed: string): MemberMapping {
    const key = `${number} ${renamed}`
    const cached = this.#members.get(key)
    if (cached) return cached
    const text = this.#readClassText(number)
    const members = parseMemberMapping(text, renamed, this.#versions[number] ?? 0, (fault) => this.warn(fault))
    this.#members.set(key, members, members.ranges.length + 1)
    return members
  }

  [Symbol.dispose](): void {
    if (!this.#isClosed) closeSync(this.#file)
    this.#isClosed = true
  }

  #findByHash({ hashes, classes }: HashTable, name: string): ClassMapping[] {
    const hash = hashName(Buffer.from(name))
    const found: ClassMapping[] = []
    for (let at = findFirst(hashes, hash); hashes[at] === hash && found.length < maxNamesakes; at++) {
      const number = classes[at] ?? 0
      const mapping = parseClassMapping(number, this.#readClassText(number), this.#versions[number] ?? 0)
      if (mapping) found.push(mapping)
    }
    return found
  }

  #readClassText(number: number): Buffer {
    const start = this.#classStarts[number]
    if (start === undefined) throw new SymbolsError('malformed-lookup', 'A class is missing.')
    const end = Math.min(this.#classStarts[number + 1] ?? this.#textLength, start + maxClassLength)
    const pieces: Buffer[] = []
    for (let at = start; at < end;) {
      const block = this.#readBlock(Math.floor(at / blockSize))
      const piece = block.subarray(at % blockSize, (at % blockSize) + end - at)
      if (piece.length === 0) throw new SymbolsError('malformed-lookup', 'A block is too short.')
      pieces.push(piece)
      at += piece.length
    }
    return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)
  }

  #readBlock(number: number): Buffer {
    const cached = this.#blocks.get(number)
    if (cached) return cached
    const start = this.#blockStarts[number]
    const end = this.#blockStarts[number + 1]
    if (start === undefined || end === undefined) throw new SymbolsError('malformed-lookup', 'A block is missing.')
    const compressed = Buffer.allocUnsafe(end - start)
    readFully(this.#file, compressed, start)
    let block: Buffer
    try {
      block = zstdDecompressSync(compressed, { maxOutputLength: blockSize })
    } catch (cause) {
      throw new SymbolsError('malformed-lookup', 'A block does not decompress.', { cause })
    }
    this.#blocks.set(number, block, block.length)
    return block
  }
}

interface HashTable {
  readonly hashes: Uint32Array
  readonly classes: Uint32Array
}

/** The first place in sorted `hashes` with that hash or a greater one. */
function findFirst(hashes: Uint32Array, hash: number): number {
  let low = 0
  let high = hashes.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((hashes[middle] ?? 0) < hash) low = middle + 1
    else high = middle
  }
  return low
}

function readHeader(file: number): IndexHeader {
  const bytes = Buffer.alloc(headerSize)
  readFully(file, bytes, 0)
  const header = parseIndexHeader(bytes)
  if (header === undefined) throw new SymbolsError('malformed-lookup', 'It is not the index of a mapping.')
  if (header === 'outdated') throw new SymbolsError('outdated-lookup')
  if (header.tableStart + sizeOfTables(header) !== fstatSync(file).size) {
    throw new SymbolsError('malformed-lookup', 'Its length is not what its header says.')
  }
  return header
}

function readTables(file: number, header: IndexHeader): ArrayBuffer {
  const tables = new ArrayBuffer(sizeOfTables(header))
  readFully(file, Buffer.from(tables), header.tableStart)
  if (crc32(Buffer.from(tables)) !== header.tableChecksum) {
    throw new SymbolsError('malformed-lookup', 'The checksum of its tables is wrong.')
  }
  return tables
}

function toBlockStarts(lengths: Uint32Array, { tableStart }: IndexHeader): Float64Array {
  const starts = new Float64Array(lengths.length + 1)
  starts[0] = headerSize
  for (const [number, length] of lengths.entries()) starts[number + 1] = (starts[number] ?? 0) + length
  if (starts[lengths.length] !== tableStart) throw new SymbolsError('malformed-lookup', 'Its blocks do not add up.')
  return starts
}

function parseDescription(bytes: Buffer): MappingDescription {
  // Written by this program and covered by the checksum.
  return JSON.parse(bytes.toString('utf8')) as MappingDescription
}

function readFully(file: number, bytes: Buffer, position: number): void {
  for (let at = 0; at < bytes.length;) {
    const read = readSync(file, bytes, at, bytes.length - at, position + at)
    if (read === 0) throw new SymbolsError('malformed-lookup', 'It ends too early.')
    at += read
  }
}
