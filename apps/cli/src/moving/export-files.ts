import { readdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { CliError } from '../cli-error.ts'

/** The content of an export on disk, by kind, with paths in order. */
export interface ExportFiles {
  binaries: string[]
  records: string[]
  archives: string[]
  dsyms: string[]
  mappings: string[]
}

const maxDepth = 16
const maxEntries = 500_000

/** Lists the files of an export that can be imported. Throws the system's error for a folder that cannot be read. */
export async function listExportFiles(folder: string): Promise<ExportFiles> {
  const files: ExportFiles = { binaries: [], records: [], archives: [], dsyms: [], mappings: [] }
  let entryCount = 0
  const search = async (place: string, depth: number): Promise<void> => {
    const entries = await readdir(place, { withFileTypes: true })
    entryCount += entries.length
    if (entryCount > maxEntries) throw new CliError('refused', `There are over ${maxEntries} files in ${folder}`)
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(place, entry.name)
      if (entry.isFile()) addFile(files, path)
      else if (entry.isDirectory() && /\.dsym$/i.test(entry.name)) files.dsyms.push(path)
      else if (entry.isDirectory() && depth < maxDepth) await search(path, depth + 1)
    }
  }
  await search(folder, 0)
  return files
}

function addFile(files: ExportFiles, path: string): void {
  const extension = extname(path).toLowerCase()
  if (extension === '.apk' || extension === '.ipa') files.binaries.push(path)
  else if (extension === '.json') files.records.push(path)
  else if (extension === '.zip') files.archives.push(path)
  else if (/^mapping.*\.txt$/i.test(basename(path))) files.mappings.push(path)
}
