import { join } from 'node:path'
import { buildLookup } from '../lookup/build-lookup.ts'
import { toCodeImage } from '../macho/code-image.ts'
import { openFileBytes } from '../bytes/file-bytes.ts'
import { readImage } from '../macho/image.ts'
import { listSlices } from '../macho/slices.ts'
import { SymbolsError } from '../symbols-error.ts'

/** An image whose lookup file has been built. */
export interface IndexedImage {
  /** The binary's name, as crash reports show it. */
  name: string
  /** Upper case with dashes. */
  uuid: string
  architecture: string
  /** Path of the lookup file. Its size, `lookupBytes`, is in bytes. */
  lookupFile: string
  lookupBytes: number
}

/**
 * Builds a lookup file in `outDir` for each slice of a Mach-O file. Images that are in `known` already are skipped.
 * Throws SymbolsError if no slice can be read; if only some cannot, `problems` says so.
 */
export function indexImages(
  path: string,
  name: string,
  outDir: string,
  known: Map<string, IndexedImage>,
  problems: string[],
): void {
  using source = openFileBytes(path)
  const failures: SymbolsError[] = []
  let read = 0
  for (const slice of listSlices(source, problems)) {
    try {
      const image = readImage(source, slice)
      read++
      const key = `${image.uuid}-${image.architecture}`
      if (known.has(key)) continue
      const lookupFile = join(outDir, `${key}.lookup`)
      const built = buildLookup(toCodeImage(source, image), lookupFile)
      problems.push(...built.problems.map((problem) => `${name} (${image.architecture}): ${problem}`))
      known.set(key, { name, uuid: image.uuid, architecture: image.architecture, lookupFile, lookupBytes: built.size })
    } catch (error) {
      if (!(error instanceof SymbolsError)) throw error
      failures.push(error)
    }
  }
  const [failure] = failures
  if (read === 0) throw failure ?? new SymbolsError('malformed-mach-o', 'None of its slices lies in the file.')
  problems.push(...failures.map(({ message }) => `${name}: ${message}`))
}
