import { basename } from 'node:path'
import { readArchivedLibraries } from './archived-libraries.ts'
import { readArchivedDsyms, readDsym } from './dsym-images.ts'
import { readMapDebugId, toBundleName } from './bundle-identity.ts'
import { findSymbols } from './find-symbols.ts'
import { readMapId } from './mapping-identity.ts'

/** An image for which there are symbols on this machine. */
export interface FoundImage {
  kind: 'dsym' | 'elf' | 'mapping' | 'sourcemap'
  /** For a source map, the name of its bundle. */
  name: string
  /** The UUID, the debug id, or the id that R8 gave a mapping; null for a mapping or a source map without one. */
  uuid: string | null
  architecture: string | null
  path: string
}

/** Lists the images of all symbols at the given paths. Throws `BinaryError` for an archive that cannot be read. */
export async function listFoundImages(paths: readonly string[]): Promise<FoundImage[]> {
  const { dsyms, archives, libraries, mappings, sourceMaps } = await findSymbols(paths)
  const images: FoundImage[] = []
  for (const bundle of dsyms) {
    for (const file of await readDsym(bundle)) {
      images.push(...file.images.map((image) => ({ kind: 'dsym' as const, name: file.name, path: bundle, ...image })))
    }
  }
  for (const path of archives) {
    for (const file of await readArchivedDsyms(path)) {
      images.push(...file.images.map((image) => ({ kind: 'dsym' as const, name: file.name, path, ...image })))
    }
  }
  for (const path of archives) {
    for (const { name, uuid, architecture } of await readArchivedLibraries(path)) {
      images.push({ kind: 'elf', name, uuid, architecture, path })
    }
  }
  for (const { path, debugId, architecture } of libraries) {
    images.push({ kind: 'elf', name: basename(path), uuid: debugId, architecture, path })
  }
  for (const { path, variant } of mappings) {
    const uuid = await readMapId(path)
    images.push({ kind: 'mapping', name: variant ?? 'mapping.txt', uuid, architecture: null, path })
  }
  for (const path of sourceMaps) {
    const uuid = await readMapDebugId(path)
    images.push({ kind: 'sourcemap', name: toBundleName(path), uuid, architecture: null, path })
  }
  return images
}
