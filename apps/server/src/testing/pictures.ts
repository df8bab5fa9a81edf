/** Small pictures of each format, in parts that tests add to, leave out and damage. */
import { crc32, deflateSync } from 'node:zlib'

/** What stands in the metadata of test pictures and must not come through. */
export const secretPlace = 'GPS 53.5511 N 9.9937 E'

/** Exif as a TIFF file in big-endian, as iPhones write it: an orientation, and a text where the place would be. */
export function createExif(orientation: number): Buffer {
  const text = Buffer.from(`${secretPlace}\0`, 'latin1')
  const head = Buffer.alloc(38)
  head.write('MM', 0, 'latin1')
  head.writeUInt16BE(42, 2)
  head.writeUInt32BE(8, 4)
  head.writeUInt16BE(2, 8)
  // The description of the image, a text that stands behind the directory.
  head.writeUInt16BE(0x010e, 10)
  head.writeUInt16BE(2, 12)
  head.writeUInt32BE(text.length, 14)
  head.writeUInt32BE(38, 18)
  head.writeUInt16BE(0x0112, 22)
  head.writeUInt16BE(3, 24)
  head.writeUInt32BE(1, 26)
  head.writeUInt16BE(orientation, 30)
  return Buffer.concat([head, text])
}

export function toPngChunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const chunk = Buffer.alloc(12 + data.length)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(type, 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length)
  return chunk
}

export const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export function toPngHeader(width: number, height: number): Buffer {
  const data = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0])
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  return toPngChunk('IHDR', data)
}

/** A picture in RGB whose left half is red and whose right half is blue. */
export function createPng({ width = 4, height = 2, chunks = [] as Buffer[] } = {}): Buffer {
  const row = Buffer.alloc(1 + width * 3)
  for (let x = 0; x < width; x++) row.set(x < width / 2 ? [255, 0, 0] : [0, 0, 255], 1 + x * 3)
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))
  return Buffer.concat([
    pngSignature,
    toPngHeader(width, height),
    ...chunks,
    toPngChunk('IDAT', pixels),
    toPngChunk('IEND'),
  ])
}

export function toJpegSegment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(2 + data.length, 2)
  return Buffer.concat([head, data])
}

export function toJpegExif(orientation: number): Buffer {
  return toJpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), createExif(orientation)]))
}

export function toJpegFrame(width: number, height: number, marker = 0xc0): Buffer {
  const data = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  data.writeUInt16BE(height, 1)
  data.writeUInt16BE(width, 3)
  return toJpegSegment(marker, data)
}

const scan = Buffer.concat([toJpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])), Buffer.from('0a1b00ff003f', 'hex')])

/** A picture that consists of the right segments; nothing decodes its pixels. */
export function createJpeg({ segments = [] as Buffer[], frame = toJpegFrame(8, 6), scans = [scan] } = {}): Buffer {
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    toJpegSegment(0xe0, Buffer.from('JFIF\0\x01\x01\x00\x00\x48\x00\x48\x00\x00', 'latin1')),
    ...segments,
    toJpegSegment(0xdb, Buffer.alloc(65, 1)),
    frame,
    toJpegSegment(0xc4, Buffer.alloc(20, 1)),
    ...scans,
    Buffer.from([0xff, 0xd9]),
  ])
}

export { scan as jpegScan }

export function toWebpChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 0, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

export function toWebp(...chunks: Buffer[]): Buffer {
  const body = Buffer.concat(chunks)
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(4 + body.length, 4)
  return Buffer.concat([head, body])
}

/** A key frame of VP8 with the right head; nothing decodes its pixels. */
export function toVp8(width: number, height: number): Buffer {
  const data = Buffer.from([0x30, 1, 0, 0x9d, 0x01, 0x2a, 0, 0, 0, 0, 1, 2, 3])
  data.writeUInt16LE(width, 6)
  data.writeUInt16LE(height, 8)
  return toWebpChunk('VP8 ', data)
}

export function toVp8x(width: number, height: number, flags = 0x08): Buffer {
  const data = Buffer.alloc(10)
  data[0] = flags
  data.writeUIntLE(width - 1, 4, 3)
  data.writeUIntLE(height - 1, 7, 3)
  return toWebpChunk('VP8X', data)
}
