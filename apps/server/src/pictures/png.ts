/**
 * PNG: a signature of 8 bytes, then chunks. A chunk is the length of its data (4 bytes, big-endian), a type (4
 * letters), the data, and a CRC-32 of type and data. The first is `IHDR` with the size, the last is `IEND`.
 *
 * Kept are the chunks that make the pixels: `IHDR`, `PLTE`, `tRNS`, `IDAT`, `IEND`. The orientation is written anew as
 * `eXIf`. Everything else goes: texts, times, profiles, further frames of an animation, and what follows `IEND`.
 */
import { crc32 } from 'node:zlib'
import { readOrientation, writeOrientation } from './orientation.ts'
import { type CleanPicture, PictureError, requireSize, requireWhole } from './picture.ts'

export const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** A picture of 10 MiB in pieces of 8 KiB, as libpng writes them, has 1,280. */
const maxChunks = 20_000

/** The bit depths that each color type may have. */
const depths: Record<number, number[]> = { 0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16] }

/** @throws {PictureError} */
export function cleanPng(bytes: Buffer): CleanPicture {
  const kept = new Map<string, Buffer>()
  const pixels: Buffer[] = []
  let orientation = 1
  let at = pngSignature.length
  for (let count = 0; ; count++) {
    if (count === maxChunks) throw new PictureError('consists of too many parts')
    requireWhole(at + 12 <= bytes.length)
    const length = bytes.readUInt32BE(at)
    const end = at + 12 + length
    requireWhole(end <= bytes.length)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const chunk = bytes.subarray(at, end)
    const data = chunk.subarray(8, 8 + length)
    at = end
    requireWhole((type === 'IHDR') === (count === 0))
    if (type === 'eXIf') orientation = readOrientation(data)
    if (!isKept(type)) continue
    requireWhole(crc32(chunk.subarray(4, 8 + length)) === chunk.readUInt32BE(8 + length))
    if (type === 'IEND') {
      requireWhole(length === 0)
      kept.set(type, chunk)
      break
    }
    if (type === 'IDAT') {
      if (length > 0) pixels.push(chunk)
      continue
    }
    requireWhole(!kept.has(type) && pixels.length === 0 && length <= 768)
    kept.set(type, chunk)
  }
  const header = kept.get('IHDR')
  requireWhole(header !== undefined && header.length === 25 && pixels.length > 0)
  const { width, height } = readSize(header)
  const exif = orientation === 1 ? [] : [writeChunk('eXIf', writeOrientation(orientation))]
  const before = ['IHDR', 'PLTE', 'tRNS'].flatMap((type) => kept.get(type) ?? [])
  const end = kept.get('IEND') ?? []
  return { type: 'image/png', width, height, pieces: [pngSignature, ...before, ...exif, ...pixels].concat(end) }
}

function isKept(type: string): boolean {
  if (['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'].includes(type)) return true
  requireWhole(/^[A-Za-z]{4}$/.test(type))
  // A capital letter marks a chunk without which the picture cannot be shown, and this one is unknown.
  if (/^[A-Z]/.test(type)) throw new PictureError('is no PNG that browsers show')
  return false
}

function readSize(header: Buffer): { width: number; height: number } {
  const [width, height] = [header.readUInt32BE(8), header.readUInt32BE(12)]
  const [depth, color, compression, filter, interlace] = header.subarray(16, 21)
  requireWhole(depths[color ?? 1]?.includes(depth ?? 0) === true)
  requireWhole(compression === 0 && filter === 0 && (interlace === 0 || interlace === 1))
  requireSize(width, height)
  return { width, height }
}

function writeChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(type, 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length)
  return chunk
}
