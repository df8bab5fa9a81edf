/**
 * The rows of a PNG. Each is a filter byte and the pixels minus a prediction from the pixel to the left (a), the row
 * above (b) and the pixel above left (c): 0 none · 1 a · 2 b · 3 (a + b) / 2 · 4 whichever of a, b, c is nearest to a +
 * b − c (Paeth). An interlaced image consists of seven smaller ones, one after the other.
 */
import { deflateSync, inflateRawSync, inflateSync } from 'node:zlib'
import { outOfRange } from '@fairlead/invariant'
import { BinaryError } from '../binary-error.ts'
import { bitsPerPixel, type Png } from './png.ts'

/** Column and row of the first pixel, and the steps, of each Adam7 pass. */
const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** Limit for images that are decoded: 4 MB as RGBA. Images that are passed through unchanged may be larger. */
const maxPixels = 1024 * 1024

export interface PngRow {
  filter: number
  /** Unfiltered pixels. Changing them in place changes the image that is encoded. */
  pixels: Buffer
  /** Position of the first pixel in the image, and the distance between neighbouring pixels. */
  x: number
  y: number
  step: number
  /** True for the first row of a pass, which has no row above. */
  isFirst: boolean
}

/**
 * Inflates the image data and undoes the row filters. The header gives the expected size, so more or fewer bytes are an
 * error and extra bytes are never allocated.
 *
 * @throws BinaryError `malformed-image` or `too-large`.
 */
export function readRows(png: Png): PngRow[] {
  const bits = bitsPerPixel(png)
  if (png.width * png.height > maxPixels) throw new BinaryError('too-large', 'The image has too many pixels.')
  const layout = layOut(png)
  const size = layout.reduce((sum, { columns }) => sum + 1 + Math.ceil((columns * bits) / 8), 0)
  const bytes = inflatePixels(png, size)
  const rows: PngRow[] = []
  let at = 0
  for (const { x, y, step, columns, isFirst } of layout) {
    const length = Math.ceil((columns * bits) / 8)
    const pixels = bytes.subarray(at + 1, at + 1 + length)
    const filter = bytes.readUInt8(at)
    addPrediction(filter, pixels, isFirst ? undefined : rows.at(-1)?.pixels, Math.max(1, bits >> 3))
    rows.push({ filter, pixels, x, y, step, isFirst })
    at += 1 + length
  }
  return rows
}

/** Applies each row's filter and deflates the rows. */
export function deflateRows(rows: PngRow[], bitsPerPixel: number): Buffer {
  const width = Math.max(1, bitsPerPixel >> 3)
  const filtered = rows.map(({ filter, pixels, isFirst }, index) => {
    const row = Buffer.alloc(pixels.length + 1, filter)
    subtractPrediction(filter, pixels, isFirst ? undefined : rows[index - 1]?.pixels, width, row)
    return row
  })
  return deflateSync(Buffer.concat(filtered))
}

interface RowLayout {
  x: number
  y: number
  step: number
  columns: number
  isFirst: boolean
}

function layOut({ width, height, interlaced }: Png): RowLayout[] {
  const passes = interlaced ? adam7 : ([[0, 0, 1, 1]] as const)
  return passes.flatMap(([x, first, step, down]) => {
    const columns = Math.ceil((width - x) / step)
    const rows: RowLayout[] = []
    if (columns <= 0) return rows
    for (let y = first; y < height; y += down) rows.push({ x, y, step, columns, isFirst: y === first })
    return rows
  })
}

function inflatePixels(png: Png, size: number): Buffer {
  const inflate = png.isCgbi ? inflateRawSync : inflateSync
  try {
    const bytes = inflate(png.data, { maxOutputLength: size })
    if (bytes.length === size) return bytes
  } catch (cause) {
    throw new BinaryError('malformed-image', 'Its pixels cannot be inflated.', { cause })
  }
  throw new BinaryError('malformed-image', 'It has fewer pixels than its header says.')
}

function addPrediction(filter: number, row: Buffer, above: Buffer | undefined, width: number): void {
  if (filter > 4) throw new BinaryError('malformed-image', 'A row has an unknown filter.')
  if (filter === 0) return
  for (let index = 0; index < row.length; index++) {
    row[index] = (row[index] ?? outOfRange()) + predict(filter, row, above, index, width)
  }
}

function subtractPrediction(filter: number, row: Buffer, above: Buffer | undefined, width: number, out: Buffer): void {
  for (let index = 0; index < row.length; index++) {
    out[index + 1] = (row[index] ?? outOfRange()) - (filter === 0 ? 0 : predict(filter, row, above, index, width))
  }
}

function predict(filter: number, row: Buffer, above: Buffer | undefined, index: number, width: number): number {
  const a = index >= width ? (row[index - width] ?? outOfRange()) : 0
  const b = above?.[index] ?? 0
  if (filter === 1) return a
  if (filter === 2) return b
  if (filter === 3) return (a + b) >> 1
  const c = index >= width ? (above?.[index - width] ?? 0) : 0
  const toA = Math.abs(b - c)
  const toB = Math.abs(a - c)
  const toC = Math.abs(a + b - 2 * c)
  if (toA <= toB && toA <= toC) return a
  return toB <= toC ? b : c
}
