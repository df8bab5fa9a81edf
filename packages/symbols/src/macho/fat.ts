/**
 * A file of one or many Mach-O slices. All numbers of the fat header are big-endian:
 *   0 magic ca fe ba be (or ca fe ba bf, where offset and size have 64 bits) · 4 number of slices, then for each
 *   0 CPU type · 4 subtype · 8 offset · 12 size · 16 alignment                     (20 bytes)
 *   0 CPU type · 4 subtype · 8 offset (64) · 16 size (64) · 24 alignment · 28 zero (32 bytes)
 * A Java class starts with the same magic; its major version, 45 or more, stands where the low half of the number of slices is.
 */
import type { ByteSource } from '@fairlead/binary'
import { SymbolsError } from '../symbols-error.ts'

const fatMagic = 0xcafebabe
const fatMagic64 = 0xcafebabf
const firstJavaVersion = 45

export interface Slice {
  offset: number
  size: number
}

/** The slices of a fat file, or the whole file as the only one. A slice that reaches past the end is left out and told of in `problems`. */
export function listSlices(source: ByteSource, problems: string[]): Slice[] {
  if (source.size < 8) throw new SymbolsError('malformed-mach-o', 'It is shorter than any header.')
  const head = source.read(0, 8)
  const magic = head.readUInt32BE(0)
  if (magic !== fatMagic && magic !== fatMagic64) return [{ offset: 0, size: source.size }]

  const count = head.readUInt32BE(4)
  if (count >= firstJavaVersion) {
    throw new SymbolsError('malformed-mach-o', `It claims ${count} architectures, or is a Java class.`)
  }
  const recordLength = magic === fatMagic64 ? 32 : 20
  if (8 + count * recordLength > source.size) throw new SymbolsError('malformed-mach-o', 'Its fat header breaks off.')
  const records = source.read(8, count * recordLength)
  const slices: Slice[] = []
  for (let at = 0; at < records.length; at += recordLength) {
    const slice =
      magic === fatMagic64
        ? { offset: Number(records.readBigUInt64BE(at + 8)), size: Number(records.readBigUInt64BE(at + 16)) }
        : { offset: records.readUInt32BE(at + 8), size: records.readUInt32BE(at + 12) }
    if (slice.offset + slice.size <= source.size) slices.push(slice)
    else problems.push('A slice of the fat file reaches past its end.')
  }
  return slices
}
