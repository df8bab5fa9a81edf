/**
 * Locates and reads the data of an entry. Sizes, method and CRC come from the directory. The local header (0 signature
 * 50 4b 03 04 · 26 name length · 28 extra length · 30 name) only says where the data starts, and must have the same
 * name. Method 8 is deflate; any other method is read as stored.
 */
import { crc32 } from 'node:zlib'
import { BinaryError } from '../binary-error.ts'
import type { ByteSource } from '../source/byte-source.ts'
import type { ZipDirectory, ZipEntry } from './directory.ts'
import { inflate, longestDeflated } from './inflate.ts'

const localSignature = 0x04034b50
const localLength = 30

export interface EntryData {
  offset: number
  /** Length in the archive, before inflation. */
  length: number
  deflated: boolean
}

export function locateData(
  source: ByteSource,
  directory: ZipDirectory,
  entry: ZipEntry,
  report: (entry: ZipEntry, oddity: string) => void,
): EntryData {
  const { headerOffset, method, nameOffset, nameLength, compressedSize, uncompressedSize } = entry
  const nameEnd = headerOffset + localLength + nameLength
  if (nameEnd > directory.offset) throw outside(entry)
  const header = source.read(headerOffset, localLength + nameLength)
  if (header.readUInt32LE(0) !== localSignature) {
    throw new BinaryError('malformed-zip', 'An entry does not start with a local header.')
  }
  const name = directory.bytes.subarray(nameOffset, nameOffset + nameLength)
  if (header.readUInt16LE(26) !== nameLength || !header.subarray(localLength).equals(name)) {
    throw new BinaryError('malformed-zip', 'An entry has another name in its local header than in the directory.')
  }
  if ((entry.flags & 1) === 1) report(entry, 'is marked as encrypted')
  if (!isKnownMethod(entry)) report(entry, `has the unknown compression method ${method}`)
  else if (method === 0 && compressedSize !== uncompressedSize) {
    report(entry, 'is stored, but its compressed and uncompressed sizes differ')
  }
  const offset = nameEnd + header.readUInt16LE(28)
  const fits = offset + uncompressedSize <= directory.offset
  const deflated = method === 8 || (method !== 0 && !fits)
  const length = deflated ? compressedSize : uncompressedSize
  if (offset + length > directory.offset) throw outside(entry)
  return { offset, length, deflated }
}

export function isKnownMethod({ method }: ZipEntry): boolean {
  return method === 0 || method === 8
}

export function readData(source: ByteSource, data: EntryData, entry: ZipEntry, deflated: boolean): Buffer {
  if (!deflated) {
    if (data.offset + entry.uncompressedSize > source.size) throw outside(entry)
    return source.read(data.offset, entry.uncompressedSize)
  }
  const length = Math.min(entry.compressedSize, longestDeflated(entry.uncompressedSize))
  return inflate(source.read(data.offset, Math.min(length, source.size - data.offset)), entry)
}

/**
 * Reads an entry with an unknown method. Android takes it as stored, but some tools write deflated data, so the
 * checksum decides.
 */
export function readMislabelled(entry: ZipEntry, read: (deflated: boolean) => Buffer): Buffer {
  let inflated: Buffer | undefined
  try {
    inflated = read(true)
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
  }
  return inflated && crc32(inflated) === entry.crc32 ? inflated : read(false)
}

function outside(entry: ZipEntry): BinaryError {
  return new BinaryError('malformed-zip', `${JSON.stringify(entry.name.slice(0, 200))} lies outside of the file.`)
}
