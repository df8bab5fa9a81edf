/** Builds the index file of a mapping, with memory that does not grow with the mapping but for its table of classes. */
import { type FileHandle, open, rm } from 'node:fs/promises'
import { constants, crc32, zstdCompressSync } from 'node:zlib'
import { SymbolsError } from '../symbols-error.ts'
import { ClassScanner } from './class-scanner.ts'
import { blockSize, headerSize, type MappingHeader, maxTextLength, writeIndexHeader } from './index-format.ts'
import { readMappingText } from './mapping-text.ts'
import { NumberList } from './number-list.ts'

const pieceSize = 1024 * 1024

const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

export interface MappingSummary {
  readonly header: MappingHeader
  readonly classCount: number
  readonly warnings: readonly string[]
}

/**
 * Reads the ProGuard or R8 mapping at `path` and writes its index to `indexPath`. Throws `SymbolsError`:
 * `malformed-mapping` for what is no mapping, `too-large`, `unreadable`. Lines that cannot be read are passed over.
 */
export async function buildMappingIndex(path: string, indexPath: string): Promise<MappingSummary> {
  await using mapping = await openFile(path, 'r')
  try {
    await using index = await openFile(indexPath, 'w')
    return await writeIndex(readPieces(mapping), index)
  } catch (error) {
    await rm(indexPath, { force: true })
    throw error
  }
}

async function openFile(path: string, flags: 'r' | 'w'): Promise<FileHandle> {
  try {
    return await open(path, flags)
  } catch (cause) {
    throw new SymbolsError('unreadable', path, { cause })
  }
}

async function* readPieces(file: FileHandle): AsyncGenerator<Buffer> {
  const piece = Buffer.allocUnsafe(pieceSize)
  for (;;) {
    const { bytesRead } = await file.read(piece, 0, pieceSize)
    if (bytesRead === 0) return
    yield piece.subarray(0, bytesRead)
  }
}

async function writeIndex(pieces: AsyncIterable<Buffer>, file: FileHandle): Promise<MappingSummary> {
  const scanner = new ClassScanner()
  const blocks = new BlockWriter(file)
  await blocks.start()
  for await (const { bytes, isWholeLines } of readMappingText(pieces)) {
    if (blocks.textLength + bytes.length > maxTextLength) throw new SymbolsError('too-large', 'The limit is 4 GB.')
    if (isWholeLines) scanner.scan(bytes, blocks.textLength)
    await blocks.write(bytes)
  }
  scanner.finish()
  await blocks.finish()
  const { description } = scanner
  const descriptionBytes = Buffer.from(JSON.stringify(description))
  const tables = Buffer.concat([...toTables(blocks.lengths, scanner), descriptionBytes])
  await file.write(tables, 0, tables.length, blocks.fileLength)
  const header = writeIndexHeader({
    blockCount: blocks.lengths.length,
    classCount: scanner.starts.length,
    tableStart: blocks.fileLength,
    textLength: blocks.textLength,
    descriptionLength: descriptionBytes.length,
    tableChecksum: crc32(tables),
  })
  await file.write(header, 0, headerSize, 0)
  return { header: description.header, classCount: scanner.starts.length, warnings: description.warnings }
}

function toTables(blockLengths: NumberList, scanner: ClassScanner): Buffer[] {
  const numbers = [
    blockLengths.toArray(),
    scanner.starts.toArray(),
    ...sortHashes(scanner.obfuscatedHashes.toArray()),
    ...sortHashes(scanner.originalHashes.toArray()),
  ]
  return [
    ...numbers.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
    Buffer.from(scanner.versions.toArray()),
  ]
}

/** The hashes in order, and the places where they stood. */
function sortHashes(hashes: Uint32Array): [Uint32Array, Uint32Array] {
  // Both in one double, so that the sort is a native one: 32 bits of hash above 21 of place.
  const keys = Float64Array.from(hashes, (hash, place) => hash * 2 ** 21 + place).sort()
  return [Uint32Array.from(keys, (key) => Math.floor(key / 2 ** 21)), Uint32Array.from(keys, (key) => key % 2 ** 21)]
}

/** Cuts text into blocks, compresses them and appends them to the file. */
class BlockWriter {
  readonly lengths = new NumberList()
  textLength = 0
  fileLength = headerSize
  readonly #file: FileHandle
  readonly #block = Buffer.allocUnsafe(blockSize)
  #filled = 0
  #waiting: Buffer[] = []
  #waitingLength = 0

  constructor(file: FileHandle) {
    this.#file = file
  }

  async start(): Promise<void> {
    await this.#file.write(Buffer.alloc(headerSize), 0, headerSize, 0)
  }

  async write(bytes: Buffer): Promise<void> {
    this.textLength += bytes.length
    for (let at = 0; at < bytes.length;) {
      const copied = bytes.copy(this.#block, this.#filled, at)
      at += copied
      this.#filled += copied
      if (this.#filled === blockSize) this.#endBlock()
    }
    if (this.#waitingLength > pieceSize) await this.#flush()
  }

  async finish(): Promise<void> {
    if (this.#filled > 0) this.#endBlock()
    await this.#flush()
  }

  #endBlock(): void {
    const compressed = zstdCompressSync(this.#block.subarray(0, this.#filled), compression)
    this.lengths.push(compressed.length)
    this.#waiting.push(compressed)
    this.#waitingLength += compressed.length
    this.#filled = 0
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#waiting)
    await this.#file.write(bytes, 0, bytes.length, this.fileLength)
    this.fileLength += bytes.length
    this.#waiting = []
    this.#waitingLength = 0
  }
}
