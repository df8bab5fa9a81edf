/**
 * Compiled XML is one chunk that holds a string pool, a map from the first strings to resource ids, and then the
 * document as a flat run of chunks. Only the start and end of elements matter here:
 *   start      8 line · 12 comment · then, from the end of the header: 0 namespace · 4 name
 *              8 start of the attributes · 10 size of one attribute · 12 their count
 *   attribute  0 namespace · 4 name · 8 raw string · 12 typed value
 *   end        no field of it is needed
 * Android's own attributes are identified by the resource id of their name, because the name itself may be empty. The
 * type field of the document's chunk is ignored, as Android ignores it.
 */
import { BinaryError } from '../binary-error.ts'
import { chunkType, readChunk, readChunks, type Chunk } from './chunk.ts'
import { readStringPool, type StringPool } from './string-pool.ts'
import { toValue, type Value, valueType } from './value.ts'

const none = 0xffffffff
const maxElements = 200_000

export interface XmlElement {
  name: string
  /** Nesting depth; the root element has depth 1. */
  depth: number
  /** Finds an attribute by the resource id of its name. */
  attribute(resourceId: number): Value | undefined
  /** Finds an attribute without a namespace by its name. */
  plainAttribute(name: string): Value | undefined
}

/**
 * Yields the elements of a document in order, without recursion.
 *
 * @throws BinaryError `malformed-manifest` or `too-large`.
 */
export function* readElements(bytes: Buffer): Generator<XmlElement, void> {
  const limit = bytes.length < 8 ? 0 : Math.min(bytes.length, bytes.readUInt32LE(4))
  const headerSize = bytes.length < 8 ? 0 : bytes.readUInt16LE(2)
  if (headerSize < 8 || headerSize > limit) throw new BinaryError('malformed-manifest', 'It is not compiled XML.')

  let strings: StringPool | undefined
  let resourceIds: Chunk | undefined
  let depth = 0
  let count = 0
  for (const chunk of readChunks(bytes, headerSize, limit)) {
    if (chunk.type === chunkType.stringPool) strings ??= readStringPool(bytes, chunk)
    else if (chunk.type === chunkType.xmlResourceMap) resourceIds ??= chunk
    else if (chunk.type === chunkType.xmlEndElement) depth--
    else if (chunk.type === chunkType.xmlStartElement) {
      if (!strings) throw new BinaryError('malformed-manifest', 'It has no strings.')
      if (++count > maxElements) throw new BinaryError('too-large', 'It has too many elements.')
      yield readElement(bytes, chunk, strings, resourceIds, ++depth)
    }
  }
  if (!strings && readChunk(bytes, headerSize, limit) === undefined) {
    throw new BinaryError('malformed-manifest', 'It is not compiled XML.')
  }
}

function readElement(
  bytes: Buffer,
  chunk: Chunk,
  strings: StringPool,
  resourceIds: Chunk | undefined,
  depth: number,
): XmlElement {
  const size = bytes.readUInt16LE(chunk.body + 10)
  const count = bytes.readUInt16LE(chunk.body + 12)
  const start = chunk.body + bytes.readUInt16LE(chunk.body + 8)
  if (count > 0 && (size < 20 || start + size * count > chunk.end)) {
    throw new BinaryError('malformed-manifest', 'The attributes of an element reach past it.')
  }

  function find(matches: (at: number) => boolean): Value | undefined {
    for (let at = start; at < start + size * count; at += size) {
      if (matches(at)) return readAttribute(bytes, at, strings)
    }
    return undefined
  }

  return {
    name: strings.at(bytes.readUInt32LE(chunk.body + 4)) ?? '',
    depth,
    attribute: (resourceId) =>
      find((at) => resourceIdOf(bytes, bytes.readUInt32LE(at + 4), resourceIds) === resourceId),
    plainAttribute: (name) =>
      find((at) => bytes.readUInt32LE(at) === none && strings.at(bytes.readUInt32LE(at + 4)) === name),
  }
}

function resourceIdOf(bytes: Buffer, nameIndex: number, resourceIds: Chunk | undefined): number {
  if (!resourceIds) return 0
  const at = resourceIds.body + nameIndex * 4
  return at + 4 <= resourceIds.end ? bytes.readUInt32LE(at) : 0
}

function readAttribute(bytes: Buffer, at: number, strings: StringPool): Value {
  const value = toValue(bytes.readUInt8(at + 15), bytes.readUInt32LE(at + 16), strings)
  const raw = bytes.readUInt32LE(at + 8)
  if (value.type !== 0 || raw === none) return value
  return { type: valueType.string, data: raw, text: strings.at(raw) }
}
