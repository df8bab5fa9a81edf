/**
 * Builds the index file of a mapping. Its memory grows with the number of classes but not with the size of the mapping.
 */
import { type FileHandle, open, rm } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { outOfRange } from '@fairlead/invariant'
import { SymbolsError } from '../../symbols-error.ts'
import { BlockWriter, writeAt } from './block-writer.ts'
import { ClassScanner } from './class-scanner.ts'
import { type MappingHeader, maxTextLength, writeIndexHeader } from './index-format.ts'
import { readMappingText } from './mapping-text.ts'

export interface MappingSummary {
  readonly header: MappingHeader
  readonly classCount: number
  readonly warnings: readonly string[]
}

/**
 * Reads the ProGuard or R8 mapping at `path` and writes its index to `indexPath`. Throws `SymbolsError`:
 * `malformed-mapping` if the file is not a mapping, `too-large`, `unreadable`. Malformed lines are skipped.
 */
export async function buildMappingIndex(path: string, indexPath: string): Promise<MappingSummary> {
  await using mapping = await openFile(path, 'r')
  try {
    await using index = await openFile(indexPath, 'w')
    return await writeIndex(mapping, index)
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

async function writeIndex(mapping: FileHandle, index: FileHandle): Promise<MappingSummary> {
  const scanner = new ClassScanner()
  const blocks = new BlockWriter(index)
  for await (const { bytes, isWholeLines } of readMappingText(mapping)) {
    if (blocks.textLength + bytes.length > maxTextLength)
      throw new SymbolsError('too-large', 'A mapping may have 4 GB of text.')
    const known = scanner.starts.length
    if (isWholeLines) scanner.scan(bytes, blocks.textLength)
    else scanner.skipLongLine()
    await blocks.write(bytes, scanner.starts.toArray().subarray(known))
  }
  scanner.finish()
  await blocks.finish()
  const { description } = scanner
  const descriptionBytes = Buffer.from(JSON.stringify(description))
  const tables = Buffer.concat([...toTables(blocks, scanner), descriptionBytes])
  await writeAt(index, tables, blocks.fileLength)
  const header = writeIndexHeader({
    blockCount: blocks.lengths.length,
    classCount: scanner.starts.length,
    tableStart: blocks.fileLength,
    textLength: blocks.textLength,
    descriptionLength: descriptionBytes.length,
    tableChecksum: crc32(tables),
  })
  await writeAt(index, header, 0)
  return { header: description.header, classCount: scanner.starts.length, warnings: description.warnings }
}

function toTables(blocks: BlockWriter, scanner: ClassScanner): Buffer[] {
  const numbers = [
    blocks.lengths.toArray(),
    blocks.starts.toArray(),
    scanner.starts.toArray(),
    ...sortHashes(scanner.obfuscatedHashes.toArray()),
    ...sortHashes(scanner.originalHashes.toArray()),
  ]
  return [
    ...numbers.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
    Buffer.from(scanner.versions.toArray()),
  ]
}

/** Class numbers are below this, so that a hash and a class number together fit in the 53 bits of a double. */
const classNumbers = 2 ** 21

/** Sorts hashes and returns them with the numbers of their classes. */
function sortHashes(hashes: Uint32Array): [Uint32Array, Uint32Array] {
  // Hash and class number in one number allow the native sort. Both arrays have the same length, so each element
  // exists.
  const keys = new Float64Array(hashes.length)
  for (let number = 0; number < hashes.length; number++)
    keys[number] = (hashes[number] ?? outOfRange()) * classNumbers + number
  keys.sort()
  const sorted = new Uint32Array(hashes.length)
  const numbers = new Uint32Array(hashes.length)
  for (let place = 0; place < keys.length; place++) {
    const key = keys[place] ?? outOfRange()
    sorted[place] = key / classNumbers
    numbers[place] = key % classNumbers
  }
  return [sorted, numbers]
}
