/**
 * The orientation of a photo, which phones write as a tag of Exif instead of turning the pixels. Exif is a TIFF file:
 *
 *     0  2  `II` for little-endian or `MM` for big-endian
 *     2  2  42
 *     4  4  offset of the first directory: a count (2 bytes) and entries of 12 bytes
 *
 * An entry is tag (2), type (2), count (4) and value (4). Nothing else is read, and nothing else is written.
 */

const tag = 0x0112
const typeShort = 3
const typeLong = 4

/** Returns 2 to 8, or 1 for a picture that needs no turn and for Exif that cannot be read. */
export function readOrientation(exif: Buffer): number {
  const start = exif.toString('latin1', 0, 6) === 'Exif\0\0' ? 6 : 0
  const tiff = exif.subarray(start)
  if (tiff.length < 14) return 1
  const order = tiff.toString('latin1', 0, 2)
  if (order !== 'II' && order !== 'MM') return 1
  const isLittle = order === 'II'
  const read16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const read32 = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  if (read16(2) !== 42) return 1
  const directory = read32(4)
  if (directory + 2 > tiff.length) return 1
  const count = Math.min(read16(directory), Math.floor((tiff.length - directory - 2) / 12))
  for (let index = 0; index < count; index++) {
    const at = directory + 2 + index * 12
    if (read16(at) !== tag) continue
    const type = read16(at + 2)
    if (read32(at + 4) !== 1 || (type !== typeShort && type !== typeLong)) return 1
    const value = type === typeShort ? read16(at + 8) : read32(at + 8)
    return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}

/** Writes Exif that says the orientation and nothing else, as a TIFF file. */
export function writeOrientation(orientation: number): Buffer {
  const tiff = Buffer.alloc(26)
  tiff.write('II', 0, 'latin1')
  tiff.writeUInt16LE(42, 2)
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(1, 8)
  tiff.writeUInt16LE(tag, 10)
  tiff.writeUInt16LE(typeShort, 12)
  tiff.writeUInt32LE(1, 14)
  tiff.writeUInt16LE(orientation, 18)
  return tiff
}
