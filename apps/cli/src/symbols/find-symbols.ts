import { open, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { type DescribedElf, describeElf, toDetailRank } from '@fairlead/symbols'
import { CliError } from '../cli-error.ts'

/** The files that were found, by kind. Paths start with the given path. */
export interface FoundSymbols {
  /** Folders named `*.dSYM`. */
  dsyms: string[]
  /** Zip archives, which hold dSYMs, a mapping or native libraries. */
  archives: string[]
  mappings: FoundMapping[]
  /** Native libraries, debug information of them, and symbols of Dart. */
  libraries: FoundLibrary[]
  /** Obfuscation maps of Dart. */
  dartMaps: string[]
  sourceMaps: string[]
}

export interface FoundLibrary extends DescribedElf {
  path: string
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
 * Finds symbols: in an `.xcarchive`, a folder of dSYMs, a Gradle project, the folder of `--split-debug-info`, or at a
 * path that is a dSYM, an archive, a library or a mapping itself. Throws the system's error for a path that does not
 * exist.
 */
export async function findSymbols(paths: readonly string[]): Promise<FoundSymbols> {
  const found: FoundSymbols = {
    dsyms: [],
    archives: [],
    mappings: [],
    libraries: [],
    dartMaps: [],
    sourceMaps: [],
  }
  const budget = { entries: maxEntries }
  for (const path of paths) {
    const stats = await stat(path)
    if (stats.isDirectory()) await searchFolder(path, found, budget, 0)
    else await addFile(path, found, true)
  }
  return { ...found, libraries: chooseBest(found.libraries) }
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
    else if (entry.isFile()) await addFile(path, found, false)
  }
}

/** The names that tools give to the debug information of libraries, and to the symbols of Dart. */
const debugFile = /\.(?:so|so\.dbg|so\.sym|debug|symbols)$/
/** The archives that hold symbols by their names: of Xcode, and of the Android build. */
const symbolsArchive = /\.dsyms?\.zip$|^native-debug-symbols\.zip$/

/**
 * Adds a file by its name and its first bytes. In a folder, libraries that were stripped are left out, and so are zip
 * archives with other names, because they may contain anything.
 */
async function addFile(path: string, found: FoundSymbols, isNamed: boolean): Promise<void> {
  const name = basename(path).toLowerCase()
  if (isNamed || debugFile.test(name)) {
    const library = describeElf(path)
    if (library && (isNamed || library.detail === 'dwarf' || library.detail === 'symtab')) {
      found.libraries.push({ path, ...library })
    }
    if (library || !isNamed) return
  }
  if (isNamed ? (await readStart(path)) === '[' : /obfuscation.{0,40}\.json$/.test(name)) found.dartMaps.push(path)
  else if (isNamed ? await isSourceMap(path) : /\.(?:js)?bundle\.map$/.test(name)) found.sourceMaps.push(path)
  else if (name === 'mapping.txt' || (isNamed && /\.(txt|map|pro)$/.test(name))) {
    found.mappings.push({ path, variant: toVariant(path) })
  } else if (isNamed || symbolsArchive.test(name)) found.archives.push(path)
}

/** A build folder holds a library several times. Of each, the file that says most is kept, and of those the largest. */
function chooseBest(libraries: readonly FoundLibrary[]): FoundLibrary[] {
  const byId = Map.groupBy(libraries, ({ debugId, architecture }) => `${debugId} ${architecture}`)
  return [...byId.values()].flatMap((files) => {
    const sorted = files.toSorted((a, b) => toDetailRank(a.detail) - toDetailRank(b.detail) || b.size - a.size)
    return sorted.slice(0, 1)
  })
}

async function isSourceMap(path: string): Promise<boolean> {
  return /\.(?:map|json)$/i.test(path) && ['{', ')'].includes((await readStart(path)) ?? '')
}

/** The first character of a text that is not a space. */
async function readStart(path: string): Promise<string | undefined> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0)
    return buffer
      .toString('utf8', 0, bytesRead)
      .replace(/^\uFEFF/, '')
      .trimStart()[0]
  } finally {
    await file.close()
  }
}

/** Gradle writes `<module>/build/outputs/mapping/<variant>/mapping.txt`. */
function toVariant(path: string): string | null {
  const folder = dirname(path)
  return dirname(folder).endsWith(join('outputs', 'mapping').replaceAll('/', sep)) ? basename(folder) : null
}
