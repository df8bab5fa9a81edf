/**
 * Reads source maps from an archive: an artifact bundle of Sentry's tools, whose `manifest.json` says which file is
 * what, or a zip of bundles and their maps. An artifact bundle begins with `SYSB` and a version; the zip behind them
 * counts its offsets from the start of the file. Paths in archives are names and never places on a disk.
 */
import type { ZipArchive, ZipEntry } from '@fairlead/binary'
import { join } from 'node:path'
import { isLitter } from '../dsym/debug-entry.ts'
import type { ExtractBudget } from '../dsym/extract-budget.ts'
import { extractEntry } from '../dsym/extract.ts'
import { toObject, toText } from '../report/json-value.ts'
import { parseJson } from '../report/parse-json.ts'
import { SymbolsError } from '../symbols-error.ts'
import type { IndexedSourceMap } from '../symbols-index.ts'
import { buildSourceMap } from './build-source-map.ts'
import { toBundleName } from './bundle-name.ts'
import { toDebugIdText } from './debug-id.ts'
import { maxMapBytes } from './limits.ts'

const maxManifestBytes = 16 * 2 ** 20
const maxEntries = 20_000
const maxMaps = 5000
/** The end of a bundle tells its map and debug id. */
const tailBytes = 4096
const maxBundleBytes = 256 * 2 ** 20

/** A map in an archive, and what the archive says of it. */
export interface MapEntry {
  entry: ZipEntry
  bundleName: string | null
  debugId: string | null
}

/** Whether a file begins as an artifact bundle does. */
export function hasArtifactBundleMagic(head: Buffer): boolean {
  return head.length >= 8 && head.toString('latin1', 0, 4) === 'SYSB' && head.readUInt32LE(4) <= 2
}

/** Lists the maps that a manifest names; undefined if there is none. Throws `malformed-source-map`, `too-large`. */
export function listManifestMaps(archive: ZipArchive): MapEntry[] | undefined {
  const manifest = archive.findEntry('manifest.json')
  if (!manifest) return undefined
  if (archive.entries.length > maxEntries) {
    throw new SymbolsError('too-large', `It has ${archive.entries.length} entries; ${maxEntries} may be in a bundle.`)
  }
  const files = Object.entries(toObject(toObject(readManifest(archive, manifest))['files']))
  const described = files.map(([path, value]) => {
    const { type, url, headers } = toObject(value)
    const named = new Map(Object.entries(toObject(headers)).map(([name, header]) => [name.toLowerCase(), header]))
    return { path, type: toText(type), url: toText(url) ?? path, named }
  })
  const bundleOf = new Map<string, (typeof described)[number]>()
  for (const one of described) {
    const map = toText(one.named.get('sourcemap')) ?? toText(one.named.get('x-sourcemap'))
    if (one.type === 'minified_source' && map !== null) bundleOf.set(joinUrl(one.url, map), one)
  }
  return described.flatMap(({ path, type, url, named }) => {
    const entry = type === 'source_map' ? archive.findEntry(path) : undefined
    if (!entry) return []
    const bundle = bundleOf.get(url)
    const debugId = toText(named.get('debug-id')) ?? toText(bundle?.named.get('debug-id'))
    const bundleName = bundle ? toBundleName(bundle.url) : toBundleName(url.replace(/\.map$/, ''))
    return { entry, bundleName, debugId: debugId === null ? null : toDebugIdText(debugId) }
  })
}

function readManifest(archive: ZipArchive, manifest: ZipEntry): unknown {
  try {
    return parseJson(archive.readEntry(manifest, maxManifestBytes).toString('utf8'), 0)
  } catch (cause) {
    throw new SymbolsError('malformed-source-map', 'The manifest of the bundle cannot be read.', { cause })
  }
}

/** The address of a map that a bundle names by its own, without `..` and the like: tools write names beside it. */
function joinUrl(bundle: string, map: string): string {
  if (/^[a-z][a-z0-9+.-]{0,30}:|^~?\//i.test(map)) return map
  return bundle.slice(0, bundle.lastIndexOf('/') + 1) + map.replace(/^\.\//, '')
}

/** Lists the maps of a zip by their names, and finds the bundle of each by its name or by what its end says. */
export function listZippedMaps(archive: ZipArchive): ZipEntry[] {
  const files = archive.entries.filter(({ name }) => !name.endsWith('/') && !isLitter(name.split('/')))
  return files.filter(({ name }) => /\.map$/i.test(name))
}

const bundleEnding = /\.(?:js|mjs|cjs|bundle|jsbundle|hbc)$/i

export async function describeZippedMaps(archive: ZipArchive, maps: readonly ZipEntry[]): Promise<MapEntry[]> {
  const described = new Map<string, Omit<MapEntry, 'entry'>>()
  const byName = new Map(archive.entries.map((entry) => [entry.name, entry]))
  const bundles = archive.entries.filter(({ name }) => bundleEnding.test(name)).slice(0, maxMaps)
  for (const bundle of bundles) {
    const tail = await readTail(archive, bundle)
    const url = /^\/\/[#@] sourceMappingURL=(\S{1,1000})\s*$/m.exec(tail)?.[1]
    const debugId = /^\/\/# debugId=([0-9a-fA-F-]{32,45})\s*$/m.exec(tail)?.[1]
    const named = url === undefined || url.startsWith('data:') ? undefined : joinUrl(bundle.name, url)
    const map = named !== undefined && byName.has(named) ? named : `${bundle.name}.map`
    const known = {
      bundleName: toBundleName(bundle.name),
      debugId: debugId === undefined ? null : toDebugIdText(debugId),
    }
    if (byName.has(map)) described.set(map, known)
  }
  return maps.map((entry) => {
    const bundleName = toBundleName(entry.name.replace(/\.map$/i, ''))
    return { entry, ...(described.get(entry.name) ?? { bundleName, debugId: null }) }
  })
}

async function readTail(archive: ZipArchive, entry: ZipEntry): Promise<string> {
  if (entry.uncompressedSize > maxBundleBytes) return ''
  let tail = Buffer.alloc(0)
  try {
    for await (const chunk of archive.streamEntry(entry, maxBundleBytes)) {
      tail = Buffer.concat([tail, chunk.subarray(-tailBytes)]).subarray(-tailBytes)
    }
  } catch {
    // A bundle that cannot be read says nothing; its map is read all the same.
    return ''
  }
  return tail.toString('latin1')
}

/** Builds the lookup files. A map that cannot be read is named in `problems`, and the others count. */
export async function indexMapEntries(
  archive: ZipArchive,
  maps: readonly MapEntry[],
  outDir: string,
  budget: ExtractBudget,
  problems: string[],
): Promise<IndexedSourceMap[]> {
  if (maps.length > maxMaps) throw new SymbolsError('too-large', `It has more than ${maxMaps} source maps.`)
  const images: IndexedSourceMap[] = []
  const failures: SymbolsError[] = []
  for (const { entry, bundleName, debugId } of maps) {
    try {
      const maxBytes = budget.take(entry, maxMapBytes)
      using file = await extractEntry(archive, entry, join(outDir, 'extracted-map'), maxBytes)
      const lookupFile = join(outDir, `${images.length}.map-lookup`)
      const built = buildSourceMap(file.path, lookupFile)
      problems.push(...built.problems.map((problem) => `${entry.name.slice(0, 200)}: ${problem}`))
      // The bundle's own id counts: a map from before ids were written has none or another one.
      images.push({ bundleName, debugId: debugId ?? built.debugId, lookupFile, lookupBytes: built.lookupBytes })
    } catch (error) {
      if (!(error instanceof SymbolsError)) throw error
      failures.push(error)
      problems.push(`${entry.name.slice(0, 200)}: ${error.message}`)
    }
  }
  const [failure] = failures
  if (images.length === 0 && failure) throw failure
  return images
}
