import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ZipEntry } from './temporary-zip.ts'

/** Writes a file into the system's temporary folder. It is deleted when it is disposed. */
export async function writeTemporaryFile(name: string, text: string): Promise<ZipEntry & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'fairlead-file-'))
  const path = join(folder, name)
  await writeFile(path, text, { mode: 0o600 })
  return { path, name, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
