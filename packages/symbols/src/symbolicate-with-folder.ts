import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { areSameMapId } from './android/trace/map-id.ts'
import type { IndexedImage } from './dsym/index-images.ts'
import { readSymbols } from './read-symbols.ts'
import { readReport } from './read-report.ts'
import { detectPlatform, type ReportPlatform } from './report/detect-platform.ts'
import type { SymbolicateOptions } from './symbolicate.ts'
import type { SymbolicatedReport } from './symbolicated.ts'
import { SymbolsError } from './symbols-error.ts'
import type { MappingIndex } from './symbols-index.ts'

const maxFiles = 10_000

/**
 * Resolves a crash report with the symbols in a folder, at any depth: dSYMs as bundles or in zip archives, mappings as
 * `*.txt`. It is for the command line: the symbols are read in this thread, and their lookup files are thrown away.
 * Rejects with `unreadable` for the folder, else as `symbolicate` does.
 */
export async function symbolicateWithFolder(
  text: string,
  folder: string,
  { platform = detectPlatform(text) }: SymbolicateOptions = {},
): Promise<SymbolicatedReport> {
  const read = readReport(text, platform)
  const work = await mkdtemp(join(tmpdir(), 'symbols-'))
  try {
    const { images, mappings, problems } = await readFolder(folder, platform, work)
    const report = await read.resolve({
      findImage: ({ uuid }) => images.get(uuid)?.lookupFile,
      findMapping: ({ mapId }) => findMapping(mappings, mapId),
    })
    return { ...report, warnings: [...report.warnings, ...problems] }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** The mapping that the trace names, else the only one that there is. */
function findMapping(mappings: readonly MappingIndex[], mapId: string | null): string | undefined {
  const named = mappings.find(
    (mapping) => mapId !== null && mapping.mapId !== null && areSameMapId(mapId, mapping.mapId),
  )
  return named?.mappingFile ?? (mappings.length === 1 ? mappings[0]?.mappingFile : undefined)
}

interface FolderSymbols {
  images: Map<string, IndexedImage>
  mappings: MappingIndex[]
  problems: string[]
}

async function readFolder(folder: string, kind: ReportPlatform, work: string): Promise<FolderSymbols> {
  const symbols: FolderSymbols = { images: new Map(), mappings: [], problems: [] }
  for (const path of await listCandidates(folder, kind)) {
    try {
      const index = await readSymbols(path, await mkdtemp(join(work, 'index-')))
      if (index.kind === 'proguard') symbols.mappings.push(index)
      else for (const image of index.images) symbols.images.set(image.uuid, image)
    } catch (error) {
      if (!(error instanceof SymbolsError)) throw error
      symbols.problems.push(`${path}: ${error.message}`)
    }
  }
  return symbols
}

async function listCandidates(folder: string, kind: ReportPlatform): Promise<string[]> {
  const isCandidate =
    kind === 'apple'
      ? (path: string) => /\.zip$|\.dsym\/contents\/resources\/dwarf\/[^/.][^/]*$/i.test(path.replaceAll('\\', '/'))
      : (path: string) => /\.(txt|zip|map)$/i.test(path)
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter(isCandidate)
      .toSorted()
      .slice(0, maxFiles)
  } catch (cause) {
    throw new SymbolsError('unreadable', folder, { cause })
  }
}
