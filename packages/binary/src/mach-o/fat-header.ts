/**
 * The header of a fat file, which holds several Mach-O files (slices). All numbers are big-endian:
 *   0 magic ca fe ba be (or ca fe ba bf, where offset and size have 64 bits) · 4 number of slices, then for each
 *   0 CPU type · 4 subtype · 8 offset · 12 size · 16 alignment                     (20 bytes)
 *   0 CPU type · 4 subtype · 8 offset (64) · 16 size (64) · 24 alignment · 28 zero (32 bytes)
 * A Java class starts with the same magic; its major version, 45 or more, stands where the low half of the number of
 * slices is.
 */
const fatMagic = 0xcafebabe
const fatMagic64 = 0xcafebabf
const maxSlices = 44

/** Bytes that the longest header has: `parseFatHeader` needs no more of the file. */
export const maxFatHeaderBytes = 8 + maxSlices * 32

export interface FatSlice {
  cpuType: number
  cpuSubtype: number
  /** The place in the file, in bytes. It may lie past the end of a damaged file. */
  offset: number
  size: number
}

export interface FatHeader {
  /** The number of slices that the header claims. */
  count: number
  /** The slices whose records are in the given bytes; none if `count` is that of a Java class. */
  slices: FatSlice[]
}

/** Parses the start of a file; undefined if it is not a fat file. */
export function parseFatHeader(start: Buffer): FatHeader | undefined {
  if (start.length < 8) return undefined
  const magic = start.readUInt32BE(0)
  if (magic !== fatMagic && magic !== fatMagic64) return undefined
  const isWide = magic === fatMagic64
  const recordLength = isWide ? 32 : 20
  const count = start.readUInt32BE(4)
  const slices: FatSlice[] = []
  if (count > maxSlices) return { count, slices }
  for (let at = 8; slices.length < count && at + recordLength <= start.length; at += recordLength) {
    slices.push({
      cpuType: start.readUInt32BE(at),
      cpuSubtype: start.readUInt32BE(at + 4),
      offset: isWide ? Number(start.readBigUInt64BE(at + 8)) : start.readUInt32BE(at + 8),
      size: isWide ? Number(start.readBigUInt64BE(at + 16)) : start.readUInt32BE(at + 12),
    })
  }
  return { count, slices }
}
