/** Resolves the frames of a native crash of Android. */
import { requireKey } from '@fairlead/invariant'
import type { FindImage } from '../report/symbolicate-crash.ts'
import type { MissingSymbols, SymbolicatedReport } from '../symbolicated.ts'
import type { Tombstone, TombstoneFrame } from '../tombstone/tombstone.ts'
import { listLibraries, listPlaces, resolveFrames } from './resolve-frames.ts'

export function listTombstoneLibraries(tombstone: Tombstone): MissingSymbols[] {
  return listLibraries(listFrames(tombstone), tombstone.architecture)
}

export async function symbolicateTombstone(tombstone: Tombstone, findImage: FindImage): Promise<SymbolicatedReport> {
  const libraries = listTombstoneLibraries(tombstone)
  const { resolved, missing, used, warnings } = await resolveFrames(listFrames(tombstone), libraries, findImage)
  return {
    kind: 'native',
    text: tombstone.lines
      .flatMap((line) => (typeof line === 'string' ? line : [line.raw, ...listPlaces(line, resolved.get(line) ?? [])]))
      .join('\n'),
    threads: tombstone.threads.map(({ name, crashed, frames }) => ({
      name,
      crashed,
      frames: frames.flatMap((frame) => requireKey(resolved, frame)),
    })),
    missingSymbols: missing,
    usedImages: used,
    usedMappings: [],
    warnings: [...tombstone.warnings, ...warnings],
  }
}

function listFrames({ threads }: Tombstone): TombstoneFrame[] {
  return threads.flatMap(({ frames }) => frames)
}
