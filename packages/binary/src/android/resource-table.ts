/**
 * resources.arsc is a table chunk that holds one global string pool and packages. A package (8 id · 12 name, 128 UTF-16
 * units) holds one type chunk per type and configuration:
 *   8 type id (u8) · 9 flags (1 sparse, 2 offsets of 16 bits) · 12 entry count · 16 start of the entries
 *   20 configuration · then, from the end of the header, the offsets: u32 each (ffffffff: no entry), or
 *   u16 × 4 (ffff: none), or sparse pairs of u16 index and u16 × 4
 * An entry: 0 size (u16) · 2 flags (u16: 1 complex, 8 compact) · 4 key · 8 value. In a compact entry the key is in the
 * size field, the type in the high byte of the flags, and the data at 4. Complex entries (styles, plurals, arrays) have
 * no single value.
 */
import type { Bytes } from '../source/paged-bytes.ts'
import { BinaryError } from '../binary-error.ts'
import { withinBounds } from '../within-bounds.ts'
import { type Chunk, chunkType, readChunk, readChunks } from './chunk.ts'
import { readConfig } from './resource-config.ts'
import { type ConfiguredValue, createResources, type Resources } from './resources.ts'
import { readStringPool, type StringPool } from './string-pool.ts'
import { readValue, toValue, type Value } from './value.ts'

/** Limit for the whole table; Android's own framework has 4,000 chunks. */
const maxChunks = 50_000
/** Limit per type. No real type has as many, and each lookup of a resource visits every configuration of its type. */
const maxConfigs = 5000

/**
 * Indexes a table.
 *
 * @throws BinaryError `malformed-resources` or `too-large`, here and from later lookups.
 */
export function parseResourceTable(bytes: Bytes): Resources {
  const { strings, types } = withinBounds('malformed-resources', () => indexTable(bytes))

  function* readValues(id: number): Generator<ConfiguredValue> {
    for (const chunk of types.get(id >>> 16) ?? []) {
      const value = readEntry(bytes, chunk, id & 0xffff, strings)
      if (value) yield { config: readConfig(bytes, chunk.start + 20), value }
    }
  }

  return createResources(readValues)
}

function indexTable(bytes: Bytes): { strings: StringPool; types: Map<number, Chunk[]> } {
  const types = new Map<number, Chunk[]>()
  let strings: StringPool = { at: () => undefined }
  let count = 0
  const table = readChunk(bytes, 0, bytes.length)
  if (table?.type !== chunkType.table) throw new RangeError('not a resource table')
  for (const chunk of readChunks(bytes, table.body, table.end)) {
    if (++count > maxChunks) throw tooMany()
    if (chunk.type === chunkType.stringPool) strings = readStringPool(bytes, chunk)
    if (chunk.type !== chunkType.tablePackage) continue
    const packageId = bytes.readUInt32LE(chunk.start + 8) & 0xff
    for (const inner of readChunks(bytes, chunk.body, chunk.end)) {
      if (++count > maxChunks) throw tooMany()
      if (inner.type !== chunkType.tableType) continue
      const key = (packageId << 8) | bytes.readUInt8(inner.start + 8)
      const ofType = types.get(key) ?? []
      if (ofType.length < maxConfigs) ofType.push(inner)
      types.set(key, ofType)
    }
  }
  return { strings, types }
}

function tooMany(): BinaryError {
  return new BinaryError('too-large', 'resources.arsc has too many parts.')
}

function readEntry(bytes: Bytes, chunk: Chunk, index: number, strings: StringPool): Value | undefined {
  const offset = findOffset(bytes, chunk, index)
  if (offset === undefined) return undefined
  const at = chunk.start + bytes.readUInt32LE(chunk.start + 16) + offset
  if (at + 8 > chunk.end) return undefined
  const flags = bytes.readUInt16LE(at + 2)
  if ((flags & 8) !== 0) return toValue(flags >> 8, bytes.readUInt32LE(at + 4), strings)
  if ((flags & 1) !== 0) return undefined
  const valueAt = at + bytes.readUInt16LE(at)
  return valueAt + 8 <= chunk.end ? readValue(bytes, valueAt, strings) : undefined
}

function findOffset(bytes: Bytes, chunk: Chunk, index: number): number | undefined {
  const flags = bytes.readUInt8(chunk.start + 9)
  const count = bytes.readUInt32LE(chunk.start + 12)
  if ((flags & 1) !== 0) return findSparseOffset(bytes, chunk, index, count)
  const width = (flags & 2) === 0 ? 4 : 2
  const at = chunk.body + index * width
  if (index >= count || at + width > chunk.end) return undefined
  const offset = width === 4 ? bytes.readUInt32LE(at) : bytes.readUInt16LE(at)
  if (width === 4) return offset === 0xffffffff ? undefined : offset
  return offset === 0xffff ? undefined : offset * 4
}

/** Binary search in the offset pairs, which are sorted by index. */
function findSparseOffset(bytes: Bytes, chunk: Chunk, index: number, count: number): number | undefined {
  let low = 0
  let high = Math.min(count, Math.floor((chunk.end - chunk.body) / 4)) - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = bytes.readUInt16LE(chunk.body + middle * 4)
    if (found === index) return bytes.readUInt16LE(chunk.body + middle * 4 + 2) * 4
    if (found < index) low = middle + 1
    else high = middle - 1
  }
  return undefined
}
