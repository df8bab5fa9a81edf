import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { CliError } from '../cli-error.ts'

/** The files that were found, by kind. Paths start with the given path. */
export interface FoundSymbols {
  /** Folders named `*.dSYM`. */
  dsyms: string[]
  /** Zip archives, which hold dSYMs or a mapping. */
  archives: string[]
  mappings: FoundMapping[]
}

export interface FoundMapping {
  path: string
  /** The build variant of a Gradle project that the mapping belongs to, such as `paidRelease`; null elsewhere. */
  variant: string | null
}

const maxDepth = 16
const maxEntries = 200_000
const passedOver = new Set(['node_modules', '.git', '.gradle', '.svn', 'Pods'])

/**
 * Finds symbols: in an `.xcarchive`, a folder of dSYMs, a Gradle project, or at a path that is a dSYM, an archive or a
 * mapping itself. Throws the system's error for a path that does not exist.
 */
export async function findSymbols(paths: readonly string[]): Promise<FoundSymbols> {
  const found: FoundSymbols = { dsyms: [], archives: [], mappings: [] }
  const budget = { entries: maxEntries }
  for (const path of paths) {
    const stats = await stat(path)
    if (stats.isDirectory()) await searchFolder(path, found, budget, 0)
    else addFile(path, found, true)
  }
  return found
}

async function searchFolder(
  folder: string,
  found: FoundSymbols,
  budget: { entries: number },
  depth: number,
): Promise<void> {
  if (/\.dsym$/i.test(folder)) {
    found.dsyms.push(folder)
    return
  }
  if (depth > maxDepth) return
  const entries = await readdir(folder, { withFileTypes: true })
  budget.entries -= entries.length
  if (budget.entries < 0) {
    throw new CliError('refused', `There are over ${maxEntries} files in ${folder}`, {
      fix: 'Name the .xcarchive, the folder of dSYMs or the build folder itself.',
    })
  }
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !passedOver.has(entry.name)) await searchFolder(path, found, budget, depth + 1)
    else if (entry.isFile()) addFile(path, found, false)
  }
}

/** Finds symbols in a folder. Zip archives there are ignored, because they may contain anything. */
function addFile(path: string, found: FoundSymbols, isNamed: boolean): void {
  const name = basename(path).toLowerCase()
  if (name === 'mapping.txt' || (isNamed && /\.(txt|map|pro)$/.test(name))) {
    found.mappings.push({ path, variant: toVariant(path) })
  } else if (isNamed || /\.dsyms?\.zip$/.test(name)) found.archives.push(path)
}

/** Gradle writes `<module>/build/outputs/mapping/<variant>/mapping.txt`. */
function toVariant(path: string): string | null {
  const folder = dirname(path)
  return dirname(folder).endsWith(join('outputs', 'mapping').replaceAll('/', sep)) ? basename(folder) : null
}
