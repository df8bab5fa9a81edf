import {
  areSameMapId,
  type IndexedImage,
  type IndexedSourceMap,
  type MappingIndex,
  type SourceMapIndex,
  SymbolsError,
  type SymbolsSource,
} from '@fairlead/symbols'
import type { Io } from '../io.ts'
import { toBundleName } from './bundle-identity.ts'
import { readArchivedDsyms, readDsym } from './dsym-images.ts'
import { findSymbols } from './find-symbols.ts'
import { indexCached } from './index-cache.ts'
import { readMapId } from './mapping-identity.ts'

/** The symbols that a crash needs. */
export interface Needed {
  uuids: ReadonlySet<string>
  /** The mapping that an Android trace names; null if it names none. */
  mapId: string | null
  /** Whether frames are of JavaScript, whose bundles are found by their names. */
  isJavaScript: boolean
}

export interface LocalSymbols extends SymbolsSource {
  /** Sentences that say why files could not be used. */
  problems: string[]
}

/** Provides symbols on this machine to `symbolicate`. Only those that the crash needs are read. */
export async function readLocalSymbols(io: Io, paths: readonly string[], needed: Needed): Promise<LocalSymbols> {
  const { dsyms, archives, dartMaps, libraries, mappings, sourceMaps } = await findSymbols(paths)
  const wanted = new Set([...needed.uuids].map((uuid) => uuid.toUpperCase()))
  const maps: string[] = []
  const bundles = new Map<string, string>()
  const images = new Map<string, IndexedImage>()
  const indexes: MappingIndex[] = []
  const problems: string[] = []
  const read = async (path: string) => {
    try {
      const index = await indexCached(io, path)
      if (index.kind === 'sourcemap') {
        for (const image of index.images) bundles.set(chooseBundleName(path, image, index), image.lookupFile)
      }
      if (index.kind === 'proguard') indexes.push(index)
      else if (index.kind === 'dsym' || index.kind === 'elf') {
        for (const image of index.images) images.set(image.uuid, image)
      } else if (index.kind === 'dartmap') maps.push(index.lookupFile)
    } catch (error) {
      if (!(error instanceof SymbolsError)) throw error
      problems.push(`${path}: ${error.message}`)
    }
  }
  if (needed.isJavaScript) for (const path of sourceMaps) await read(path)
  else if (needed.uuids.size > 0) {
    for (const file of (await Promise.all(dsyms.map(readDsym))).flat()) {
      if (file.images.some(({ uuid }) => wanted.has(uuid))) await read(file.path)
    }
  } else for (const { path } of await chooseMappings(mappings, needed.mapId)) await read(path)
  // A trace of Dart without a build id is read with the only symbols of Dart that are named.
  const snapshots = libraries.filter(({ isDart }) => isDart)
  const chosen = snapshots.length === 1 ? snapshots[0] : undefined
  for (const library of libraries) {
    if (wanted.has(library.debugId) || (wanted.size === 0 && library === chosen)) await read(library.path)
  }
  if (dartMaps.length === 1) for (const path of dartMaps) await read(path)
  for (const archive of archives) if (await isNeeded(archive, needed)) await read(archive)
  return {
    problems,
    findImage: ({ uuid }) => images.get(uuid === '' ? (chosen?.debugId ?? '') : uuid.toUpperCase())?.lookupFile,
    findDartMap: () => maps[0],
    // The only map that is named counts for any bundle, whose file may have been renamed when it was published.
    findSourceMap: (name) => bundles.get(name) ?? (bundles.size === 1 ? [...bundles.values()][0] : undefined),
    findMapping: ({ mapId }) => chooseIndex(indexes, mapId)?.mappingFile,
  }
}

/** A map is of the bundle that it or its archive names, else of the one that its own name tells: `main.js.map`. */
function chooseBundleName(path: string, { bundleName }: IndexedSourceMap, { images }: SourceMapIndex): string {
  const told = toBundleName(path)
  return images.length === 1 ? told : (bundleName ?? told)
}

/** Chooses the mappings with the id that the trace carries, because reading all of them would take long. */
async function chooseMappings<Mapping extends { path: string }>(
  mappings: readonly Mapping[],
  mapId: string | null,
): Promise<Mapping[]> {
  if (mapId === null || mappings.length === 1) return [...mappings]
  const ids = await Promise.all(mappings.map(({ path }) => readMapId(path)))
  return mappings.filter((_, place) => {
    const id = ids[place]
    return typeof id === 'string' && areSameMapId(id, mapId)
  })
}

/** An archive without a dSYM may hold a mapping. */
async function isNeeded(archive: string, { uuids }: Needed): Promise<boolean> {
  const files = await readArchivedDsyms(archive).catch(() => [])
  if (files.length === 0) return true
  return files.some(({ images }) => images.some(({ uuid }) => uuids.has(uuid)))
}

function chooseIndex(indexes: readonly MappingIndex[], mapId: string | null): MappingIndex | undefined {
  const named = indexes.find((index) => mapId !== null && index.mapId !== null && areSameMapId(mapId, index.mapId))
  return named ?? (indexes.length === 1 ? indexes[0] : undefined)
}
