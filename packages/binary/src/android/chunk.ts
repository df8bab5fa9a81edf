/**
 * Android's compiled XML and resource tables are trees of chunks, with all numbers little-endian:
 *   0 type (u16) · 2 header size (u16) · 4 chunk size (u32, header included) · rest of the header · children or data
 * A chunk whose sizes are impossible ends its parent. The chunks before it are kept, as Android keeps them.
 */
import type { Bytes } from '../source/paged-bytes.ts'

export interface Chunk {
  type: number
  start: number
  /** Offset at which the header ends and the data begins. */
  body: number
  end: number
}

export const chunkType = {
  stringPool: 0x0001,
  table: 0x0002,
  xml: 0x0003,
  xmlStartElement: 0x0102,
  xmlEndElement: 0x0103,
  xmlResourceMap: 0x0180,
  tablePackage: 0x0200,
  tableType: 0x0201,
} as const

/** Reads the chunk at `start`, or returns undefined where no chunk fits before `limit`. */
export function readChunk(bytes: Bytes, start: number, limit: number): Chunk | undefined {
  if (start + 8 > limit) return undefined
  const headerSize = bytes.readUInt16LE(start + 2)
  const size = bytes.readUInt32LE(start + 4)
  if (headerSize < 8 || size < headerSize || start + size > limit) return undefined
  return { type: bytes.readUInt16LE(start), start, body: start + headerSize, end: start + size }
}

/** Yields consecutive chunks from `start` on. */
export function* readChunks(bytes: Bytes, start: number, limit: number): Generator<Chunk, void> {
  for (let chunk = readChunk(bytes, start, limit); chunk; chunk = readChunk(bytes, chunk.end, limit)) yield chunk
}
