/**
 * WebP: a RIFF file, which is `RIFF`, the size of the rest (4 bytes, little-endian), `WEBP`, then chunks of a type (4
 * letters), the length of the data (4 bytes) and the data, padded to an even length. A plain picture is one chunk
 * `VP8 ` or `VP8L`. One with more begins with `VP8X`, which says what else there is and the size.
 *
 * Kept are `VP8 ` or `VP8L`, and `ALPH`. `VP8X` and the orientation in `EXIF` are written anew where they are needed.
 * Everything else goes: Exif, XMP, profiles, and what follows the file. A moving picture is refused.
 */
import { readOrientation, writeOrientation } from './orientation.ts'
import { type CleanPicture, PictureError, requireSize, requireWhole } from './picture.ts'

const maxChunks = 1000
const flag = { alpha: 0x10, exif: 0x08, moving: 0x02 }

export function isWebp(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
}

/** @throws {PictureError} */
export function cleanWebp(bytes: Buffer): CleanPicture {
  const whole = bytes.readUInt32LE(4) + 8
  requireWhole(whole <= bytes.length)
  const chunks = new Map<string, Buffer>()
  let at = 12
  for (let count = 0; at < whole; count++) {
    if (count === maxChunks) throw new PictureError('consists of too many parts')
    requireWhole(at + 8 <= whole)
    const type = bytes.toString('latin1', at, at + 4)
    const end = at + 8 + bytes.readUInt32LE(at + 4)
    requireWhole(end <= whole)
    if (type === 'ANIM' || type === 'ANMF') throw new PictureError('moves; still pictures are accepted')
    const isPixels = type === 'VP8 ' || type === 'VP8L'
    requireWhole(!(isPixels && (chunks.has('VP8 ') || chunks.has('VP8L'))) && !(type === 'ALPH' && chunks.has(type)))
    if (!chunks.has(type)) chunks.set(type, bytes.subarray(at + 8, end))
    // A writer may leave out the padding at the very end.
    at = end + (end % 2)
  }
  return write(chunks)
}

function write(chunks: ReadonlyMap<string, Buffer>): CleanPicture {
  const [lossy, lossless, extended] = [chunks.get('VP8 '), chunks.get('VP8L'), chunks.get('VP8X')]
  requireWhole(lossy !== undefined || lossless !== undefined)
  const { width, height, hasAlpha } = lossless ? readLossless(lossless) : readLossy(lossy ?? Buffer.alloc(0))
  requireSize(width, height)
  if (extended) requireCanvas(extended, width, height)
  const exif = chunks.get('EXIF')
  const orientation = exif ? readOrientation(exif) : 1
  // Alpha of a lossless picture is inside of it.
  const alpha = lossy && extended ? chunks.get('ALPH') : undefined
  const pixels = lossless ? writeChunk('VP8L', lossless) : writeChunk('VP8 ', lossy ?? Buffer.alloc(0))
  const flags = (alpha || hasAlpha ? flag.alpha : 0) | (orientation === 1 ? 0 : flag.exif)
  const isPlain = orientation === 1 && alpha === undefined
  const parts = [
    ...(isPlain ? [] : [writeExtended(flags, width, height)]),
    ...(alpha ? [writeChunk('ALPH', alpha)] : []),
    pixels,
    ...(orientation === 1 ? [] : [writeChunk('EXIF', writeOrientation(orientation))]),
  ].flat()
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(4 + parts.reduce((sum, part) => sum + part.length, 0), 4)
  return { type: 'image/webp', width, height, pieces: [head, ...parts] }
}

interface Bitstream {
  width: number
  height: number
  hasAlpha: boolean
}

/** A key frame of VP8: 3 bytes of which bit 0 is 0, the start code 9D 01 2A, then width and height in 14 bits each. */
function readLossy(data: Buffer): Bitstream {
  requireWhole(data.length > 10 && ((data[0] ?? 1) & 1) === 0 && data.toString('hex', 3, 6) === '9d012a')
  const [width, height] = [data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff]
  return { width, height, hasAlpha: false }
}

/** VP8L: the byte 2F, then 14 bits each for width and height less one, one bit for alpha, 3 bits for the version. */
function readLossless(data: Buffer): Bitstream {
  requireWhole(data.length > 5 && data[0] === 0x2f)
  const bits = data.readUInt32LE(1)
  requireWhole(bits >>> 29 === 0)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, hasAlpha: ((bits >>> 28) & 1) === 1 }
}

/** `VP8X`: flags (1 byte), 3 unused, then width and height less one in 3 bytes each. */
function requireCanvas(data: Buffer, width: number, height: number): void {
  requireWhole(data.length >= 10)
  if (((data[0] ?? 0) & flag.moving) !== 0) throw new PictureError('moves; still pictures are accepted')
  requireWhole(data.readUIntLE(4, 3) + 1 === width && data.readUIntLE(7, 3) + 1 === height)
}

function writeExtended(flags: number, width: number, height: number): Buffer[] {
  const data = Buffer.alloc(10)
  data[0] = flags
  data.writeUIntLE(width - 1, 4, 3)
  data.writeUIntLE(height - 1, 7, 3)
  return writeChunk('VP8X', data)
}

function writeChunk(type: string, data: Buffer): Buffer[] {
  const head = Buffer.alloc(8)
  head.write(type, 0, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return data.length % 2 === 0 ? [head, data] : [head, data, Buffer.alloc(1)]
}
