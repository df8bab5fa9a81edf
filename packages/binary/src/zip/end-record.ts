/**
 * Finds the directory of a zip archive. All numbers are little-endian.
 *
 * End of central directory, 22 bytes and a comment, at the end of the file:
 *   0 signature 50 4b 05 06 · 4 disk · 6 directory's disk · 8 entries here · 10 entries · 12 directory size
 *   16 directory offset · 20 comment length
 * Zip64 locator, the 20 bytes before it:
 *   0 signature 50 4b 06 07 · 4 disk · 8 offset of the zip64 record · 16 disks
 * Zip64 end record, 56 bytes or more:
 *   0 signature 50 4b 06 06 · 4 its size − 12 · 32 entries · 40 directory size · 48 directory offset
 *
 * The end record is the last one whose comment ends exactly at the end of the file. Another inside the comment is a
 * decoy.
 */
import { BinaryError } from '../binary-error.ts'
import type { ByteSource } from '../source/byte-source.ts'

const endSignature = 0x06054b50
const locatorSignature = 0x07064b50
const zip64Signature = 0x06064b50
const endLength = 22
const longestComment = 0xffff

export interface EndRecord {
  /** Offset of the end record in the file. */
  offset: number
  entryCount: number
  directoryOffset: number
  directorySize: number
}

/**
 * Finds the end record and, if it refers to one, the zip64 record. Only the positions of these records are checked
 * here.
 *
 * @throws BinaryError `not-a-zip` or `malformed-zip`.
 */
export function readEndRecord(source: ByteSource): EndRecord {
  const { offset, bytes } = findEndRecord(source)
  const record = {
    offset,
    entryCount: bytes.readUInt16LE(10),
    directorySize: bytes.readUInt32LE(12),
    directoryOffset: bytes.readUInt32LE(16),
  }
  const defers =
    record.entryCount === 0xffff || record.directorySize === 0xffffffff || record.directoryOffset === 0xffffffff
  return (defers ? readZip64Record(source, offset) : undefined) ?? record
}

/** Needs one small read if there is no comment, and a second of at most 64 KB otherwise. */
function findEndRecord(source: ByteSource): { offset: number; bytes: Buffer } {
  for (const length of [endLength, endLength + longestComment]) {
    const tail = source.read(Math.max(0, source.size - length), Math.min(source.size, length))
    for (let at = tail.length - endLength; at >= 0; at--) {
      if (tail.readUInt32LE(at) !== endSignature) continue
      if (at + endLength + tail.readUInt16LE(at + 20) !== tail.length) continue
      return { offset: source.size - tail.length + at, bytes: tail.subarray(at) }
    }
  }
  throw new BinaryError('not-a-zip', 'It has no end-of-central-directory record.')
}

function readZip64Record(source: ByteSource, endOffset: number): EndRecord | undefined {
  if (endOffset < 20) return undefined
  const locator = source.read(endOffset - 20, 20)
  if (locator.readUInt32LE(0) !== locatorSignature) return undefined
  const offset = toOffset(locator.readBigUInt64LE(8), endOffset - 20)
  if (offset + 56 > endOffset - 20) throw new BinaryError('malformed-zip', 'The zip64 locator points outside the file.')
  const record = source.read(offset, 56)
  if (record.readUInt32LE(0) !== zip64Signature) {
    throw new BinaryError('malformed-zip', 'The zip64 locator does not point at a zip64 record.')
  }
  return {
    offset,
    entryCount: toOffset(record.readBigUInt64LE(32), source.size),
    directorySize: toOffset(record.readBigUInt64LE(40), source.size),
    directoryOffset: toOffset(record.readBigUInt64LE(48), source.size),
  }
}

function toOffset(value: bigint, limit: number): number {
  if (value > BigInt(limit)) throw new BinaryError('malformed-zip', 'A zip64 number is larger than the file.')
  return Number(value)
}
