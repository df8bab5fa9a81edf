import { outOfRange } from '@fairlead/invariant'
import { bitsPerPixel, encodePng, type Png } from './png.ts'
import { deflateRows, readRows } from './png-rows.ts'

/** An image as RGBA with 8 bits per channel and no padding between rows. */
export interface Pixels {
  width: number
  height: number
  rgba: Buffer
}

/** Decodes any PNG except Apple's CgBI variant. */
export function decodePng(png: Png): Pixels {
  const rgba = Buffer.alloc(png.width * png.height * 4)
  for (const row of readRows(png)) {
    for (let x = row.x, index = 0; x < png.width; x += row.step, index++) {
      writePixel(png, row.pixels, index, rgba, (row.y * png.width + x) * 4)
    }
  }
  return { width: png.width, height: png.height, rgba }
}

export function encodePixels({ width, height, rgba }: Pixels): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6], 8)
  const rows = Array.from({ length: height }, (_, y) => ({
    filter: 4,
    pixels: rgba.subarray(y * width * 4, (y + 1) * width * 4),
    x: 0,
    y,
    step: 1,
    isFirst: y === 0,
  }))
  return encodePng({ header, palette: undefined, transparency: undefined, data: deflateRows(rows, 32) })
}

function writePixel(png: Png, row: Buffer, index: number, out: Buffer, at: number): void {
  const { bitDepth, colorType, palette, transparency } = png
  const channels = bitsPerPixel(png) / bitDepth
  const sample = (channel: number) => readSample(row, index * channels + channel, bitDepth)
  if (colorType === 3) {
    const color = sample(0)
    palette?.copy(out, at, color * 3, color * 3 + 3)
    out[at + 3] = transparency?.[color] ?? 255
    return
  }
  const scale = 255 / (2 ** bitDepth - 1)
  const isColor = (colorType & 2) !== 0
  for (let channel = 0; channel < 3; channel++) out[at + channel] = Math.round(sample(isColor ? channel : 0) * scale)
  out[at + 3] = (colorType & 4) !== 0 ? Math.round(sample(channels - 1) * scale) : 255
  if ((colorType & 4) === 0 && transparency && isTransparent(transparency, channels, sample)) out[at + 3] = 0
}

/** In an image without alpha, tRNS names the one colour that is fully transparent. */
function isTransparent(transparency: Buffer, channels: number, sample: (channel: number) => number): boolean {
  if (transparency.length < channels * 2) return false
  for (let channel = 0; channel < channels; channel++) {
    if (transparency.readUInt16BE(channel * 2) !== sample(channel)) return false
  }
  return true
}

function readSample(row: Buffer, index: number, bitDepth: number): number {
  if (bitDepth === 8) return row[index] ?? outOfRange()
  if (bitDepth === 16) return ((row[index * 2] ?? outOfRange()) << 8) | (row[index * 2 + 1] ?? outOfRange())
  const bit = index * bitDepth
  return ((row[bit >> 3] ?? outOfRange()) >> (8 - bitDepth - (bit & 7))) & (2 ** bitDepth - 1)
}
