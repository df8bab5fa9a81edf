/** The parts of a lookup file and their places in it, as format.ts describes them. */
import type { ByteSource } from '@fairlead/binary'
import { zstdDecompressSync } from 'node:zlib'
import { SymbolsError } from '../symbols-error.ts'
import { damaged } from './column-reader.ts'
import { blockRecordLength, maxPart, maxParts, maxStoredPart, regionRecordLength } from './format.ts'

interface Place {
  offset: number
  storedLength: number
  /** Length in bytes after decompression. */
  length: number
}

/** The index of the file: the places of all parts. */
export interface LookupIndex {
  /** For each block: its first offset, its region and its place. */
  starts: Uint32Array
  regions: Uint32Array
  blocks: Place[]
  /** For each region: the place of its strings. */
  strings: Place[]
}

/** Reads the index at the place that the header names. Throws `malformed-lookup`. */
export function readIndex(source: ByteSource, header: Buffer): LookupIndex {
  const count = header.readUInt32LE(12)
  const regionCount = header.readUInt32LE(64)
  const offset = Number(header.readBigUInt64LE(56))
  const length = count * blockRecordLength + regionCount * regionRecordLength
  if (count > maxParts || regionCount > maxParts || offset + length !== source.size) {
    throw damaged('Its index is not where it should be.')
  }
  const bytes = source.read(offset, length)
  const starts = new Uint32Array(count)
  const regions = new Uint32Array(count)
  const blocks: Place[] = []
  for (let block = 0; block < count; block++) {
    const at = block * blockRecordLength
    starts[block] = bytes.readUInt32LE(at)
    regions[block] = bytes.readUInt32LE(at + 4)
    blocks.push(readPlace(bytes, at + 8))
  }
  const strings: Place[] = []
  for (let at = count * blockRecordLength; at < length; at += regionRecordLength) {
    strings.push(readPlace(bytes, at))
  }
  return { starts, regions, blocks, strings }
}

function readPlace(bytes: Buffer, at: number): Place {
  return {
    storedLength: bytes.readUInt32LE(at),
    length: bytes.readUInt32LE(at + 4),
    offset: bytes.readUIntLE(at + 8, 6),
  }
}

/** Reads and decompresses a part. Throws `malformed-lookup`. */
export function readPart(source: ByteSource, place: Place | undefined): Buffer {
  if (
    !place ||
    place.offset + place.storedLength > source.size ||
    place.storedLength > maxStoredPart ||
    place.length > maxPart
  ) {
    throw damaged('A part is not where it should be.')
  }
  const stored = source.read(place.offset, place.storedLength)
  let bytes: Buffer
  try {
    // The buffer has one byte more than is needed: zlib then sees the end of the stream and gives one chunk.
    bytes = zstdDecompressSync(stored, { maxOutputLength: place.length + 1, chunkSize: Math.max(64, place.length + 1) })
  } catch (cause) {
    throw new SymbolsError('malformed-lookup', 'A part cannot be decompressed.', { cause })
  }
  if (bytes.length !== place.length) throw damaged('A part is not as long as it should be.')
  return bytes
}
