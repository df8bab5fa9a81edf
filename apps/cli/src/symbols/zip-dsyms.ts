import { readdir } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import { type TemporaryZip, writeTemporaryZip, type ZipEntry } from '../files/temporary-zip.ts'

/** Packs dSYM bundles into one archive in the system's temporary folder. */
export async function zipDsyms(bundles: readonly string[], signal: AbortSignal): Promise<TemporaryZip> {
  const entries = await Promise.all(bundles.map(listEntries))
  return await writeTemporaryZip(entries.flat(), signal)
}

/** Each bundle gets a folder of its own, because two bundles may have the same name. */
async function listEntries(bundle: string, index: number): Promise<ZipEntry[]> {
  const entries = await readdir(bundle, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return files.toSorted().map((path) => {
    const name = relative(bundle, path).split(sep).join('/')
    return { path, name: `${index}/${basename(bundle)}/${name}` }
  })
}
