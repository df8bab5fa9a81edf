import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** A zip archive that is deleted when it is disposed. */
export interface TemporaryZip extends AsyncDisposable {
  path: string
}

/** The time of all entries, so that equal dSYMs give equal archives. It is the earliest time that a zip can hold. */
const entryTime = new Date(1980, 0, 1)

/** Packs dSYM bundles into one archive in the system's temporary folder. */
export async function zipDsyms(bundles: readonly string[], signal: AbortSignal): Promise<TemporaryZip> {
  const folder = await mkdtemp(join(tmpdir(), 'fairlead-dsyms-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const path = join(folder, 'dSYMs.zip')
    const zip = new ZipFile()
    for (const [index, bundle] of bundles.entries()) await addBundle(zip, bundle, index)
    zip.end()
    await pipeline(zip.outputStream, createWriteStream(path, { mode: 0o600 }), { signal })
    return { path, [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Each bundle gets a folder of its own, because two bundles may have the same name. */
async function addBundle(zip: ZipFile, bundle: string, index: number): Promise<void> {
  const entries = await readdir(bundle, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  for (const file of files.toSorted()) {
    const name = relative(bundle, file).split(sep).join('/')
    zip.addFile(file, `${index}/${basename(bundle)}/${name}`, { mtime: entryTime, mode: 0o100644 })
  }
}
