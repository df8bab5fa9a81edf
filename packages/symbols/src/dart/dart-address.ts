import type { Lookup } from '../lookup/lookup.ts'
import type { DartFrame } from './dart-trace.ts'

/**
 * The offset of a frame in an image. A symbol with an offset is asked first, then the address in memory with the starts
 * of the sections, and the address of the file last, because only new programs print that one as their symbols have
 * it. Some symbols do not say where the sections begin: then only the address of the file remains.
 */
export function toImageOffset(frame: DartFrame, { dart, textAddress }: Pick<Lookup, 'dart' | 'textAddress'>) {
  const place = frame.place ?? findPlace(frame)
  const start = place && dart[place.section]
  if (place && start !== undefined) return start + place.offset
  return frame.fileAddress === undefined ? undefined : frame.fileAddress - textAddress
}

/** An address belongs to the section that begins at most before it. */
function findPlace({ address, starts }: DartFrame): DartFrame['place'] {
  if (address === undefined || starts === undefined) return undefined
  const isolate = address - starts.isolate
  const vm = address - starts.vm
  return vm > 0 && vm <= isolate ? { section: 'vm', offset: vm } : { section: 'isolate', offset: isolate }
}
