import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** A zip archive that is deleted when it is disposed. */
export interface TemporaryZip extends AsyncDisposable {
  path: string
}

export interface ZipEntry {
  /** The file on this machine. */
  path: string
  /** Its path in the archive, with slashes. */
  name: string
}

/** The time of all entries, so that equal files give equal archives. It is the earliest time that a zip can hold. */
const entryTime = new Date(1980, 0, 1)

/** Packs files into an archive in the system's temporary folder. */
export async function writeTemporaryZip(entries: readonly ZipEntry[], signal: AbortSignal): Promise<TemporaryZip> {
  const folder = await mkdtemp(join(tmpdir(), 'fairlead-zip-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const path = join(folder, 'files.zip')
    const zip = new ZipFile()
    for (const entry of entries) zip.addFile(entry.path, entry.name, { mtime: entryTime, mode: 0o100644 })
    zip.end()
    await pipeline(zip.outputStream, createWriteStream(path, { mode: 0o600 }), { signal })
    return { path, [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
  }
}
