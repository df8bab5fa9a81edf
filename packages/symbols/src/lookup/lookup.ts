import { openFile, BinaryError, type ByteSource } from '@fairlead/binary'
import { constants, zstdDecompressSync } from 'node:zlib'
import { SymbolsError } from '../symbols-error.ts'
import { type Block, damaged, decodeBlock, lastNotAfter, type SourceFrame } from './block.ts'
import {
  architectureLength,
  formatVersion,
  headerLength,
  indexEndLength,
  indexRecordLength,
  magic,
  maxBlock,
  maxBlocks,
  maxCompressedBlock,
} from './format.ts'

/** Decoded blocks that are kept, in bytes. */
const cachedBytes = 48 * 1024 * 1024

/** An open lookup file. Reads are synchronous, few and small. */
export interface Lookup extends Disposable {
  readonly uuid: string
  readonly architecture: string
  /** The address of __TEXT in the image's own address space: `address = textAddress + offset`. */
  readonly textAddress: number
  /** The frames of the source at an offset from the image's start, innermost first; none where nothing is known. */
  findFrames(offset: number): SourceFrame[]
}

/** Opens a lookup file with two reads. Throws `unreadable`, `malformed-lookup`, or `outdated-lookup`, upon which it is to be built again. */
export function openLookup(path: string): Lookup {
  const source = open(path)
  try {
    return createLookup(source)
  } catch (error) {
    source[Symbol.dispose]()
    throw error
  }
}

function open(path: string): ByteSource {
  try {
    return openFile(path)
  } catch (cause) {
    throw new SymbolsError('unreadable', cause instanceof BinaryError ? cause.detail : '', { cause })
  }
}

interface Index {
  starts: Uint32Array
  /** Where each block starts, and at last where the last one ends. */
  places: Float64Array
}

function createLookup(source: ByteSource): Lookup {
  if (source.size < headerLength + indexEndLength) throw damaged('It is shorter than its header.')
  const header = source.read(0, headerLength)
  if (!header.subarray(0, magic.length).equals(magic)) throw damaged('It does not start with its magic.')
  const version = header.readUInt32LE(8)
  if (version !== formatVersion) throw new SymbolsError('outdated-lookup', `It is of version ${version}.`)
  const { starts, places } = readIndex(source, header)
  let blocks = new Map<number, Block>()
  let blockBytes = 0

  const requireBlock = (index: number): Block => {
    const known = blocks.get(index)
    if (known) return known
    const block = readBlock(source, places[index] as number, places[index + 1] as number, starts[index] as number)
    if (blockBytes + block.byteLength > cachedBytes) {
      blocks = new Map()
      blockBytes = 0
    }
    blocks.set(index, block)
    blockBytes += block.byteLength
    return block
  }

  return {
    uuid: header
      .toString('hex', 16, 32)
      .toUpperCase()
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    architecture: header.toString('latin1', 32, 32 + architectureLength).replaceAll('\0', ''),
    textAddress: Number(header.readBigUInt64LE(48)),
    findFrames(offset) {
      if (!(offset >= 0 && offset <= 0xffffffff)) return []
      const index = lastNotAfter(starts, offset)
      return index < 0 ? [] : requireBlock(index).findFrames(offset)
    },
    [Symbol.dispose]: () => source[Symbol.dispose](),
  }
}

function readIndex(source: ByteSource, header: Buffer): Index {
  const count = header.readUInt32LE(12)
  const place = Number(header.readBigUInt64LE(56))
  const length = count * indexRecordLength + indexEndLength
  if (count > maxBlocks || place + length !== source.size) throw damaged('Its index is not where it should be.')
  const bytes = source.read(place, length)
  const starts = new Uint32Array(count)
  const places = new Float64Array(count + 1)
  for (let block = 0; block < count; block++) {
    starts[block] = bytes.readUInt32LE(block * indexRecordLength)
    places[block] = bytes.readUIntLE(block * indexRecordLength + 4, 6)
  }
  places[count] = bytes.readUIntLE(count * indexRecordLength, 6)
  return { starts, places }
}

function readBlock(source: ByteSource, from: number, to: number, firstOffset: number): Block {
  if (!(from >= headerLength && from < to && to <= source.size && to - from <= maxCompressedBlock)) {
    throw damaged('A block is not where it should be.')
  }
  const stored = source.read(from, to - from)
  let bytes: Buffer
  try {
    bytes = zstdDecompressSync(stored, { maxOutputLength: maxBlock, params: { [constants.ZSTD_d_windowLogMax]: 27 } })
  } catch (cause) {
    throw new SymbolsError('malformed-lookup', 'A block cannot be decompressed.', { cause })
  }
  return decodeBlock(bytes, firstOffset)
}
