/**
 * Reads a zip archive of dSYMs. They may lie at its root, in `dSYMs/`, in an `.xcarchive`, or in one zip inside it,
 * which is how App Store Connect packs them. An archive without any bundle may hold bare Mach-O files.
 */
import {
  BinaryError,
  machOHeaderBytes,
  maxFatHeaderBytes,
  openZip,
  parseFatHeader,
  parseMachOHeader,
  type ZipArchive,
  type ZipEntry,
} from '@fairlead/binary'
import { join } from 'node:path'
import { SymbolsError } from '../symbols-error.ts'
import { type BundleIdentity, chooseIdentity, readIdentity } from './bundle-identity.ts'
import { type DebugEntry, isLitter, listDebugEntries } from './debug-entry.ts'
import type { ExtractBudget } from './extract-budget.ts'
import { extractEntry, toSymbolsError } from './extract.ts'
import { type IndexedImage, indexImages } from './index-images.ts'

/** The largest debug file in bytes: offsets in a Mach-O file have 32 bits. */
const maxDebugBytes = 4 * 1024 * 1024 * 1024
const maxDebugFiles = 5000
const maxInnerArchives = 16
const maxBareFiles = 64

export interface IndexedArchive extends BundleIdentity {
  images: IndexedImage[]
  /** Sentences about parts that could not be read or look odd. The images are usable all the same. */
  problems: string[]
}

export async function indexArchive(
  archive: ZipArchive,
  outDir: string,
  budget: ExtractBudget,
): Promise<IndexedArchive> {
  const state: State = { outDir, budget, images: new Map(), identities: [], problems: [], extracted: 0 }
  await indexBundles(archive, state)
  if (state.images.size === 0) await indexInnerArchives(archive, state)
  if (state.images.size === 0) await indexBareFiles(archive, state)
  if (state.images.size === 0) throw nothingFound(archive, state)
  return {
    ...chooseIdentity(state.identities),
    images: [...state.images.values()],
    problems: state.problems.slice(0, 100),
  }
}

interface State {
  outDir: string
  budget: ExtractBudget
  images: Map<string, IndexedImage>
  identities: (BundleIdentity & { bundle: string })[]
  problems: string[]
  extracted: number
}

async function indexBundles(archive: ZipArchive, state: State): Promise<void> {
  const debugEntries = listDebugEntries(archive.entries)
  if (debugEntries.length > maxDebugFiles) {
    throw new SymbolsError(
      'too-large',
      `It has ${debugEntries.length} debug files; ${maxDebugFiles} may be in one upload.`,
    )
  }
  const byBundle = Map.groupBy(debugEntries, ({ bundle }) => bundle)
  for (const [bundle, entries] of byBundle) {
    const before = state.images.size
    for (const entry of entries) await indexEntry(archive, entry, state)
    if (state.images.size === before) continue
    state.identities.push({ bundle, ...readIdentity(archive, bundle, state.problems) })
  }
}

/** Indexes one file. If it cannot be read, `problems` says so and the other files are still indexed. */
async function indexEntry(
  archive: ZipArchive,
  { entry, name }: Omit<DebugEntry, 'bundle'>,
  state: State,
): Promise<void> {
  try {
    if (!(await isMachO(archive, entry))) throw new SymbolsError('malformed-mach-o', 'It has no Mach-O header.')
    using file = await extractEntry(archive, entry, temporaryPath(state), state.budget.take(entry, maxDebugBytes))
    indexImages(file.path, name, state.outDir, state.images, state.problems)
  } catch (error) {
    if (!(error instanceof SymbolsError)) throw error
    state.problems.push(`${entry.name.slice(0, 200)}: ${error.message}`)
  }
}

async function indexInnerArchives(archive: ZipArchive, state: State): Promise<void> {
  const inner = archive.entries.filter(({ name }) => name.toLowerCase().endsWith('.zip') && !isLitter(name.split('/')))
  for (const entry of inner.slice(0, maxInnerArchives)) {
    try {
      using file = await extractEntry(archive, entry, temporaryPath(state), state.budget.take(entry, maxDebugBytes))
      using innerArchive = openZip(file.path)
      await indexBundles(innerArchive, state)
    } catch (error) {
      if (!(error instanceof SymbolsError) && !(error instanceof BinaryError)) throw error
      state.problems.push(`${entry.name.slice(0, 200)}: ${error.message}`)
    }
  }
}

async function indexBareFiles(archive: ZipArchive, state: State): Promise<void> {
  const files = archive.entries.filter(({ name }) => !name.endsWith('/') && !isLitter(name.split('/')))
  for (const entry of files.slice(0, maxBareFiles)) {
    if (await looksLikeMachO(archive, entry)) {
      await indexEntry(archive, { entry, name: entry.name.split('/').at(-1) ?? '' }, state)
    }
  }
}

/** Tells by the first bytes whether an entry is a Mach-O file, and its first slice too if that is near the start. */
async function isMachO(archive: ZipArchive, entry: ZipEntry): Promise<boolean> {
  try {
    for await (const chunk of archive.streamEntry(entry, maxDebugBytes)) return startsLikeMachO(chunk)
    return false
  } catch (error) {
    throw error instanceof BinaryError ? toSymbolsError(error) : error
  }
}

function startsLikeMachO(start: Buffer): boolean {
  const fat = parseFatHeader(start.subarray(0, maxFatHeaderBytes))
  if (!fat) return parseMachOHeader(start) !== undefined
  const offset = Math.min(...fat.slices.map((slice) => slice.offset))
  return offset + machOHeaderBytes > start.length || parseMachOHeader(start.subarray(offset)) !== undefined
}

async function looksLikeMachO(archive: ZipArchive, entry: ZipEntry): Promise<boolean> {
  try {
    return await isMachO(archive, entry)
  } catch (error) {
    if (!(error instanceof SymbolsError)) throw error
    return false
  }
}

function temporaryPath(state: State): string {
  return join(state.outDir, `extracted-${state.extracted++}.part`)
}

function nothingFound(archive: ZipArchive, { problems }: State): SymbolsError {
  if (problems.length === 0) return new SymbolsError('no-symbols', `It has ${archive.entries.length} entries.`)
  return new SymbolsError('no-mach-o', problems.slice(0, 3).join(' '))
}

/** Opens an archive. Throws SymbolsError `unreadable`, `malformed-zip`, `too-large`. */
export function openArchive(path: string): ZipArchive {
  try {
    return openZip(path)
  } catch (error) {
    throw error instanceof BinaryError ? toSymbolsError(error) : error
  }
}
