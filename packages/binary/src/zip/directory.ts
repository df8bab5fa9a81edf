/**
 * The central directory has one record per entry: 46 bytes, then name, extra fields and comment.
 *   0 signature 50 4b 01 02 · 8 flags · 10 method · 16 CRC-32 · 20 compressed size · 24 uncompressed size
 *   28 name length · 30 extra length · 32 comment length · 42 local header offset
 * A size or offset of ffffffff means that the real one is in the zip64 extra field (id 1), in the order uncompressed,
 * compressed, offset.
 *
 * Names are decoded as UTF-8 whatever the flag says, because macOS writes UTF-8 without setting it. They are used as
 * labels and never as paths of files on disk.
 */
import { BinaryError } from '../binary-error.ts'
import type { ByteSource } from '../source/byte-source.ts'
import type { EndRecord } from './end-record.ts'

const recordSignature = 0x02014b50
const recordLength = 46
const elsewhere = 0xffffffff

export interface ZipEntry {
  readonly name: string
  /** Bit 0: encrypted; bit 11: the name is UTF-8. */
  readonly flags: number
  /** Compression method: 0 stored, 8 deflated. Any other value is an oddity. */
  readonly method: number
  readonly crc32: number
  readonly compressedSize: number
  readonly uncompressedSize: number
  readonly headerOffset: number
  /** Offset of the undecoded name in the directory, for comparison with the name in the local header. */
  readonly nameOffset: number
  readonly nameLength: number
}

export interface DirectoryLimits {
  maxDirectoryBytes: number
  maxEntries: number
}

export interface ZipDirectory {
  bytes: Buffer
  /** Offset of the directory; the data of all entries ends before it. */
  offset: number
  entries: ZipEntry[]
}

/**
 * Reads the directory with one bounded read.
 *
 * @throws BinaryError `malformed-zip` or `too-large`.
 */
export function readDirectory(source: ByteSource, end: EndRecord, limits: DirectoryLimits): ZipDirectory {
  const { directoryOffset, directorySize, entryCount } = end
  if (entryCount > limits.maxEntries) throw new BinaryError('too-large', `The archive has ${entryCount} entries.`)
  if (directorySize > limits.maxDirectoryBytes) {
    throw new BinaryError('too-large', `The directory of the archive has ${directorySize} bytes.`)
  }
  if (directoryOffset + directorySize > end.offset) {
    throw new BinaryError('malformed-zip', 'The directory lies outside of the file.')
  }
  const bytes = source.read(directoryOffset, directorySize)
  const entries: ZipEntry[] = []
  for (let at = 0; entries.length < entryCount;) {
    if (at + recordLength > bytes.length || bytes.readUInt32LE(at) !== recordSignature) {
      throw new BinaryError(
        'malformed-zip',
        `The directory breaks off after ${entries.length} of ${entryCount} entries.`,
      )
    }
    const nameEnd = at + recordLength + bytes.readUInt16LE(at + 28)
    const extraEnd = nameEnd + bytes.readUInt16LE(at + 30)
    const next = extraEnd + bytes.readUInt16LE(at + 32)
    if (next > bytes.length) throw new BinaryError('malformed-zip', 'An entry reaches past the end of the directory.')
    entries.push(parseRecord(bytes, at, nameEnd, extraEnd))
    at = next
  }
  return { bytes, offset: directoryOffset, entries }
}

function parseRecord(bytes: Buffer, at: number, nameEnd: number, extraEnd: number): ZipEntry {
  const nameOffset = at + recordLength
  const entry = {
    name: bytes.toString('utf8', nameOffset, nameEnd),
    flags: bytes.readUInt16LE(at + 8),
    method: bytes.readUInt16LE(at + 10),
    crc32: bytes.readUInt32LE(at + 16),
    compressedSize: bytes.readUInt32LE(at + 20),
    uncompressedSize: bytes.readUInt32LE(at + 24),
    headerOffset: bytes.readUInt32LE(at + 42),
    nameOffset,
    nameLength: nameEnd - nameOffset,
  }
  const { compressedSize, uncompressedSize, headerOffset } = entry
  if (compressedSize === elsewhere || uncompressedSize === elsewhere || headerOffset === elsewhere) {
    applyZip64(entry, bytes.subarray(nameEnd, extraEnd))
  }
  return entry
}

interface Sizes {
  uncompressedSize: number
  compressedSize: number
  headerOffset: number
}

/** An extra field with an impossible length is skipped as Android skips it, because most entries do not need zip64. */
function applyZip64(sizes: Sizes, extra: Buffer): void {
  for (let at = 0; at + 4 <= extra.length;) {
    const end = at + 4 + extra.readUInt16LE(at + 2)
    if (end > extra.length) return
    if (extra.readUInt16LE(at) === 1) {
      let field = at + 4
      for (const key of ['uncompressedSize', 'compressedSize', 'headerOffset'] as const) {
        if (sizes[key] !== elsewhere || field + 8 > end) continue
        sizes[key] = Number(extra.readBigUInt64LE(field))
        field += 8
      }
      return
    }
    at = end
  }
}
