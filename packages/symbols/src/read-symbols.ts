import { BinaryError, hasMachOMagic, openFile, type ZipArchive } from '@fairlead/binary'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { buildMappingIndex } from './android/index/build-mapping-index.ts'
import { isLitter, listDebugEntries } from './dsym/debug-entry.ts'
import { ExtractBudget } from './dsym/extract-budget.ts'
import { extractEntry, toSymbolsError } from './dsym/extract.ts'
import { indexArchive, openArchive } from './dsym/index-archive.ts'
import { type IndexedImage, indexImages } from './dsym/index-images.ts'
import { unknownIdentity } from './dsym/bundle-identity.ts'
import { hasElfMagic } from './elf/elf-file.ts'
import { indexElfEntries, listElfEntries } from './elf/index-elf-archive.ts'
import { type IndexedElfImage, indexElf } from './elf/index-elf.ts'
import { buildObfuscationMap } from './dart/obfuscation-map.ts'
import { indexSourceMap, looksLikeSourceMap } from './sourcemap/index-source-map.ts'
import {
  describeZippedMaps,
  hasArtifactBundleMagic,
  indexMapEntries,
  listManifestMaps,
  listZippedMaps,
  type MapEntry,
} from './sourcemap/map-archive.ts'
import { SymbolsError } from './symbols-error.ts'
import type { DartMapIndex, ElfIndex, MappingIndex, SourceMapIndex, SymbolsIndex } from './symbols-index.ts'

const zipMagics = new Set([0x504b0304, 0x504b0506, 0x504b0606])
const maxProblems = 100
const maxMappingBytes = 2 * 1024 * 1024 * 1024

/**
 * Reads symbols in this thread; `indexSymbols` does the same in a worker. The first bytes decide: a zip archive holds
 * dSYMs, or a mapping and no dSYM, or ELF files, or source maps; a Mach-O file is debug information without a bundle;
 * an ELF file is a library or its debug information; an artifact bundle and a JSON object hold source maps; a JSON
 * array is an obfuscation map of Dart; any other file is read as the text of a mapping.
 */
export async function readSymbols(path: string, outDir: string): Promise<SymbolsIndex> {
  const head = readHead(path)
  if (head.length >= 4 && zipMagics.has(head.readUInt32BE(0))) return await readArchive(path, outDir)
  if (hasArtifactBundleMagic(head)) return await readArtifactBundle(path, outDir)
  if (hasMachOMagic(head)) return readBareFile(path, outDir)
  if (hasElfMagic(head)) return await readElf(path, outDir)
  if (isDartMap(head)) return readDartMap(path, outDir)
  if (looksLikeSourceMap(head)) return indexSourceMap(path, outDir)
  return await readMapping(path, outDir)
}

function readHead(path: string): Buffer {
  try {
    using source = openFile(path)
    return source.read(0, Math.min(4096, source.size))
  } catch (error) {
    throw error instanceof BinaryError ? toSymbolsError(error) : error
  }
}

async function readArchive(path: string, outDir: string): Promise<SymbolsIndex> {
  using archive = openArchive(path)
  const mapping = listDebugEntries(archive.entries).length === 0 ? findMapping(archive) : undefined
  const budget = new ExtractBudget(archive.source.size)
  if (!mapping) {
    const elfEntries = listDebugEntries(archive.entries).length === 0 ? await listElfEntries(archive) : []
    const maps = elfEntries.length === 0 ? listZippedMaps(archive) : []
    if (maps.length > 0) return await readMaps(archive, await describeZippedMaps(archive, maps), outDir)
    if (elfEntries.length === 0) return { kind: 'dsym', ...(await indexArchive(archive, outDir, budget)) }
    const problems: string[] = []
    const images = await indexElfEntries(archive, elfEntries, outDir, budget, problems)
    return { kind: 'elf', isArchive: true, images, problems: problems.slice(0, maxProblems) }
  }
  const maxBytes = budget.take(mapping, maxMappingBytes)
  using file = await extractEntry(archive, mapping, join(outDir, 'extracted-mapping.part'), maxBytes)
  return await readMapping(file.path, outDir)
}

async function readArtifactBundle(path: string, outDir: string): Promise<SourceMapIndex> {
  using archive = openArchive(path)
  const maps = listManifestMaps(archive) ?? (await describeZippedMaps(archive, listZippedMaps(archive)))
  if (maps.length === 0) throw new SymbolsError('no-source-maps')
  return await readMaps(archive, maps, outDir)
}

async function readMaps(archive: ZipArchive, maps: readonly MapEntry[], outDir: string): Promise<SourceMapIndex> {
  const problems: string[] = []
  const images = await indexMapEntries(archive, maps, outDir, new ExtractBudget(archive.source.size), problems)
  return { kind: 'sourcemap', images, problems: problems.slice(0, maxProblems) }
}

function findMapping({ entries }: ZipArchive) {
  return entries.find(({ name }) => {
    const parts = name.split('/')
    return parts.at(-1)?.toLowerCase() === 'mapping.txt' && !isLitter(parts)
  })
}

function readBareFile(path: string, outDir: string): SymbolsIndex {
  const images = new Map<string, IndexedImage>()
  const problems: string[] = []
  indexImages(path, 'image', outDir, images, problems)
  return { kind: 'dsym', ...unknownIdentity, images: [...images.values()], problems }
}

async function readElf(path: string, outDir: string): Promise<ElfIndex> {
  const images = new Map<string, IndexedElfImage>()
  const problems: string[] = []
  const { size } = await stat(path)
  await indexElf(path, '', outDir, new ExtractBudget(size), images, problems)
  return { kind: 'elf', isArchive: false, images: [...images.values()], problems: problems.slice(0, maxProblems) }
}

/** No other kind of symbols begins with a bracket. */
function isDartMap(head: Buffer): boolean {
  return /^\uFEFF?\s*\[/.test(head.toString('utf8'))
}

function readDartMap(path: string, outDir: string): DartMapIndex {
  const lookupFile = join(outDir, 'obfuscation-map.index')
  using source = openFile(path)
  const { bytes } = buildObfuscationMap(source, lookupFile)
  return { kind: 'dartmap', lookupFile, lookupBytes: bytes, problems: [] }
}

async function readMapping(path: string, outDir: string): Promise<MappingIndex> {
  const mappingFile = join(outDir, 'mapping.index')
  const { header, warnings } = await buildMappingIndex(path, mappingFile)
  const { size } = await stat(mappingFile)
  return { kind: 'proguard', mapId: header.mapId ?? null, mappingFile, mappingBytes: size, problems: [...warnings] }
}
