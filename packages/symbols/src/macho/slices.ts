import { type ByteSource, maxFatHeaderBytes, parseFatHeader } from '@fairlead/binary'
import { SymbolsError } from '../symbols-error.ts'

/** The place of one Mach-O image in its file, in bytes. */
export interface Slice {
  offset: number
  size: number
}

/**
 * Lists the slices of a fat file; of a thin file, the whole file is the only one. A slice that reaches past the end is
 * left out and told of in `problems`. Throws `malformed-mach-o`.
 */
export function listSlices(source: ByteSource, problems: string[]): Slice[] {
  if (source.size < 8) throw new SymbolsError('malformed-mach-o', 'It is shorter than any header.')
  const fat = parseFatHeader(source.read(0, Math.min(source.size, maxFatHeaderBytes)))
  if (!fat) return [{ offset: 0, size: source.size }]
  if (fat.count !== fat.slices.length) {
    throw new SymbolsError(
      'malformed-mach-o',
      `It claims ${fat.count} architectures, which its header does not hold, or it is a Java class.`,
    )
  }
  const inside = fat.slices.filter(({ offset, size }) => offset + size <= source.size)
  if (inside.length < fat.slices.length) problems.push('A slice of the fat file reaches past its end.')
  return inside.map(({ offset, size }) => ({ offset, size }))
}
