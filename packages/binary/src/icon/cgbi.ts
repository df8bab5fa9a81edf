import { outOfRange } from '@fairlead/invariant'
import { bitsPerPixel, encodePng, type Png } from './png.ts'
import { deflateRows, readRows } from './png-rows.ts'

/**
 * Converts Apple's CgBI variant to a standard PNG: it swaps red and blue, undoes premultiplied alpha and adds the zlib
 * header and checksum.
 */
export function undoCgbi(png: Png): Buffer {
  const rows = readRows(png)
  if (png.bitDepth === 8 && png.colorType === 6) for (const { pixels } of rows) undoBgra(pixels)
  if (png.bitDepth === 8 && png.colorType === 2) for (const { pixels } of rows) swapRedAndBlue(pixels, 3)
  return encodePng({ ...png, data: deflateRows(rows, bitsPerPixel(png)) })
}

function undoBgra(pixels: Buffer): void {
  swapRedAndBlue(pixels, 4)
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? outOfRange()
    if (alpha === 255 || alpha === 0) continue
    for (let channel = at; channel < at + 3; channel++) {
      pixels[channel] = Math.min(255, Math.round(((pixels[channel] ?? outOfRange()) * 255) / alpha))
    }
  }
}

function swapRedAndBlue(pixels: Buffer, width: number): void {
  for (let at = 0; at + 2 < pixels.length; at += width) {
    const blue = pixels[at] ?? outOfRange()
    pixels[at] = pixels[at + 2] ?? outOfRange()
    pixels[at + 2] = blue
  }
}
