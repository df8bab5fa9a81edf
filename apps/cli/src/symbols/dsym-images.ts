import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type MachOImage, openZip, readMachOImages } from '@fairlead/binary'

/** A Mach-O file of a dSYM, and the images in it, one for each architecture. */
export interface DsymFile {
  path: string
  name: string
  images: MachOImage[]
}

/** Lists the Mach-O files of a dSYM bundle. Other files have no images. */
export async function readDsym(bundle: string): Promise<DsymFile[]> {
  const folder = join(bundle, 'Contents', 'Resources', 'DWARF')
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return await Promise.all(
    names
      .filter((name) => !name.startsWith('.'))
      .map(async (name) => {
        const path = join(folder, name)
        return { path, name, images: await readMachOImages(createReadStream(path)) }
      }),
  )
}

const maxImageBytes = 2 ** 36

/** Lists the images of the dSYMs in a zip archive; `path` is then the name of the entry. Throws `BinaryError`. */
export async function readArchivedDsyms(path: string): Promise<DsymFile[]> {
  using archive = openZip(path, { onOddity: () => {} })
  const files: DsymFile[] = []
  for (const entry of archive.entries) {
    const [, name] = /\.dSYM\/Contents\/Resources\/DWARF\/([^/.][^/]*)$/i.exec(entry.name) ?? []
    if (name === undefined || entry.name.startsWith('__MACOSX/')) continue
    const images = await readMachOImages(archive.streamEntry(entry, maxImageBytes))
    files.push({ path: entry.name, name, images })
  }
  return files
}
