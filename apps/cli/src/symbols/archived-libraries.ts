import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { BinaryError, openZip, readElfImage } from '@fairlead/binary'
import { type TemporaryZip, writeTemporaryZip, type ZipEntry } from '../files/temporary-zip.ts'

export interface ArchivedLibrary {
  /** The name of the entry. */
  entry: string
  /** The last part of it. */
  name: string
  /** The debug id, in upper case with dashes; null for a library without a build id. */
  uuid: string | null
  architecture: string | null
}

const maxEntryBytes = 2 ** 33

/** Lists the libraries in an archive of the Android build, such as `native-debug-symbols.zip`. Throws `BinaryError`. */
export async function readArchivedLibraries(path: string): Promise<ArchivedLibrary[]> {
  using archive = openZip(path, { onOddity: () => {} })
  const libraries: ArchivedLibrary[] = []
  for (const { name: entry } of archive.entries.filter(({ name }) =>
    /\.(?:so|so\.dbg|so\.sym|debug|symbols)$/.test(name),
  )) {
    const found = archive.entries.find(({ name }) => name === entry)
    if (!found) continue
    const image = await readElfImage(archive.streamEntry(found, maxEntryBytes)).catch((error: unknown) => {
      if (error instanceof BinaryError) return undefined
      throw error
    })
    const name = entry.split('/').at(-1) ?? entry
    libraries.push({ entry, name, uuid: image?.uuid ?? null, architecture: image?.architecture ?? null })
  }
  return libraries
}

/** Packs some entries of an archive into another one in the system's temporary folder. */
export async function packEntries(path: string, names: readonly string[], signal: AbortSignal): Promise<TemporaryZip> {
  using archive = openZip(path, { onOddity: () => {} })
  const folder = await mkdtemp(join(tmpdir(), 'fairlead-libraries-'))
  try {
    const entries: ZipEntry[] = []
    for (const entry of archive.entries.filter(({ name }) => names.includes(name))) {
      const file = join(folder, String(entries.length))
      await pipeline(archive.streamEntry(entry, maxEntryBytes), createWriteStream(file, { mode: 0o600 }), { signal })
      entries.push({ path: file, name: entry.name })
    }
    return await writeTemporaryZip(entries, signal)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
