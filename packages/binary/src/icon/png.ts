/**
 * The subset of PNG that icons need: the signature, then chunks, with all numbers big-endian:
 *   0 length of the data (u32) · 4 type (4 letters) · 8 the data · then a CRC-32 of type and data
 * IHDR: 0 width · 4 height · 8 bit depth · 9 colour type (0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGB and alpha)
 * · 10 compression · 11 filter · 12 interlace (1: Adam7). The IDAT chunks together are one zlib stream of filtered
 * rows.
 * Apple's variant begins with a CgBI chunk. Its IDAT is raw deflate without the zlib header, and its pixels are BGRA
 * with premultiplied alpha.
 *
 * Dimensions are limited, and chunks that are not needed to show the image are dropped, because text and colour profile
 * chunks can be decompression bombs.
 */
import { crc32 } from 'node:zlib'
import { BinaryError } from '../binary-error.ts'

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const largestSide = 4096
const maxChunks = 10_000
const kept = new Set(['CgBI', 'IHDR', 'PLTE', 'tRNS', 'IEND'])

export interface Png {
  width: number
  height: number
  bitDepth: number
  colorType: number
  interlaced: boolean
  isCgbi: boolean
  header: Buffer
  palette: Buffer | undefined
  transparency: Buffer | undefined
  /** Compressed pixels, from all IDAT chunks. */
  data: Buffer
}

/**
 * Parses the chunks without inflating the image data.
 *
 * @throws BinaryError `malformed-image` or `too-large`.
 */
export function parsePng(bytes: Buffer): Png {
  if (!bytes.subarray(0, 8).equals(signature)) throw malformed('It is not a PNG.')
  const chunks = new Map<string, Buffer>()
  const data: Buffer[] = []
  let count = 0
  for (let at = 8; !chunks.has('IEND');) {
    if (at + 12 > bytes.length || ++count > maxChunks) throw malformed('The PNG breaks off.')
    const end = at + 8 + bytes.readUInt32BE(at)
    if (end + 4 > bytes.length) throw malformed('A chunk of the PNG reaches past its end.')
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (type === 'IDAT') data.push(bytes.subarray(at + 8, end))
    else if (kept.has(type)) chunks.set(type, bytes.subarray(at + 8, end))
    at = end + 4
  }
  const header = chunks.get('IHDR')
  if (header?.length !== 13 || data.length === 0) throw malformed('The PNG has no header or no pixels.')
  const png = {
    width: header.readUInt32BE(0),
    height: header.readUInt32BE(4),
    bitDepth: header.readUInt8(8),
    colorType: header.readUInt8(9),
    interlaced: header.readUInt8(12) === 1,
    isCgbi: chunks.has('CgBI'),
    header,
    palette: chunks.get('PLTE'),
    transparency: chunks.get('tRNS'),
    data: data.length === 1 && data[0] ? data[0] : Buffer.concat(data),
  }
  if (png.width === 0 || png.height === 0) throw malformed('The PNG has no extent.')
  if (png.width > largestSide || png.height > largestSide) {
    throw new BinaryError('too-large', `The image has ${png.width} × ${png.height} pixels.`)
  }
  bitsPerPixel(png)
  return png
}

/** Writes only the chunks that are needed to show the image. */
export function encodePng({
  header,
  palette,
  transparency,
  data,
}: Pick<Png, 'header' | 'palette' | 'transparency' | 'data'>): Buffer {
  return Buffer.concat([
    signature,
    toChunk('IHDR', header),
    ...(palette ? [toChunk('PLTE', palette)] : []),
    ...(transparency ? [toChunk('tRNS', transparency)] : []),
    toChunk('IDAT', data),
    toChunk('IEND', Buffer.alloc(0)),
  ])
}

export function bitsPerPixel({ bitDepth, colorType }: Pick<Png, 'bitDepth' | 'colorType'>): number {
  const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[colorType]
  const depths = colorType === 0 ? [1, 2, 4, 8, 16] : colorType === 3 ? [1, 2, 4, 8] : [8, 16]
  if (channels === undefined || !depths.includes(bitDepth)) throw malformed('The PNG has an impossible kind of pixels.')
  return channels * bitDepth
}

function toChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(type, 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length)
  return chunk
}

function malformed(detail: string): BinaryError {
  return new BinaryError('malformed-image', detail)
}
