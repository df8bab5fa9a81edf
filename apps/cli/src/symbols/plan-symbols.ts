import type { Client } from '@fairlead/client'
import { CliError } from '../cli-error.ts'
import type { Io } from '../io.ts'
import type { Application } from '../lookups/application.ts'
import { digest } from '../files/digest.ts'
import { readArchivedDsyms, readDsym } from './dsym-images.ts'
import { findSymbols, type FoundMapping } from './find-symbols.ts'
import {
  planArchives,
  planDartMaps,
  planLibraries,
  type PlannedArchive,
  type PlannedDartMap,
  type PlannedSourceMap,
  planSourceMaps,
} from './plan-native.ts'
import { type IdentityFlags, type MappingIdentity, requireMappingIdentity } from './mapping-identity.ts'

export interface SymbolsPlanFlags extends IdentityFlags {
  /** The build variant of a Gradle project. */
  readonly flavor?: string
  /** The debug id of the symbols that an obfuscation map belongs to. */
  readonly debugId?: string
  /** The name of the bundle that a source map is of. */
  readonly bundleName?: string
  /** Send symbols even if the server has them. */
  readonly all: boolean
}

export interface SymbolsPlan {
  /** Bundles that are packed into one archive. */
  dsyms: string[]
  archives: PlannedArchive[]
  mappings: (FoundMapping & { identity: MappingIdentity })[]
  libraries: string[]
  dartMaps: PlannedDartMap[]
  sourceMaps: PlannedSourceMap[]
  /** Paths of symbols that the server already has. */
  skipped: string[]
}

/** Finds the symbols at the given paths and removes those that the server has. Throws `notFound` if there are none. */
export async function planSymbols(
  io: Io,
  client: Client,
  application: Application,
  flags: SymbolsPlanFlags,
  paths: readonly string[],
): Promise<SymbolsPlan> {
  const found = await findSymbols(paths)
  const mappings = chooseVariant(found.mappings, flags.flavor)
  const native = found.libraries.length + found.dartMaps.length + found.sourceMaps.length
  if (found.dsyms.length + found.archives.length + mappings.length + native === 0) {
    throw new CliError('notFound', `No symbols are in ${paths.join(', ')}`, {
      fix: 'Name an .xcarchive, a folder with dSYMs or libraries, a zip of them, a mapping or a Gradle project.',
    })
  }
  const held = await client.symbols.list(application.id, { signal: io.signal })
  const known = new Set(held.flatMap(({ images }) => images.map(({ uuid }) => uuid)))
  const skipped: string[] = []
  const isNew = async (path: string, readUuids: () => Promise<string[]>) => {
    const uuids = await readUuids()
    const isHeld = !flags.all && uuids.length > 0 && uuids.every((uuid) => known.has(uuid))
    if (isHeld) skipped.push(path)
    return !isHeld
  }
  const dsyms = await filterAsync(found.dsyms, (path) => isNew(path, async () => toUuids(await readDsym(path))))
  const zips = await filterAsync(found.archives, (path) =>
    isNew(path, async () => toUuids(await readArchivedDsyms(path).catch(() => []))),
  )
  const nativeSymbols = { held, skipped, sendsAll: flags.all }
  const archives = await planArchives(zips, nativeSymbols)
  const libraries = await planLibraries(found.libraries, nativeSymbols)
  const dartMaps = await planDartMaps(found, flags.debugId, nativeSymbols)
  const sourceMaps = await planSourceMaps(found.sourceMaps, nativeSymbols, {
    bundleName: flags.bundleName,
    identity: await findIdentity(io, client, flags),
  })
  const identified = await Promise.all(
    mappings.map(async (mapping) => ({
      ...mapping,
      identity: await requireMappingIdentity(io, client, flags, mapping),
    })),
  )
  const newMappings = await filterAsync(identified, async ({ path, identity }) => {
    const sha256 = await digest(path)
    const isHeld = held.some(
      (file) =>
        file.sha256 === sha256 &&
        file.bundleIdentifier === identity.bundleIdentifier &&
        file.shortVersion === identity.shortVersion &&
        file.version === identity.version,
    )
    if (isHeld && !flags.all) skipped.push(path)
    return !isHeld || flags.all
  })
  return { dsyms, archives, mappings: newMappings, libraries, dartMaps, sourceMaps, skipped }
}

/** The release that source maps are of, if the flags tell one. */
async function findIdentity(io: Io, client: Client, flags: IdentityFlags): Promise<MappingIdentity | undefined> {
  const { package: name, versionName, versionCode } = flags
  if (flags.for === undefined && [name, versionName, versionCode].includes(undefined)) return undefined
  return await requireMappingIdentity(io, client, flags, { path: 'The source map', variant: null })
}

/** A project may have been built in several variants, and only the user knows which of them was released. */
function chooseVariant(mappings: readonly FoundMapping[], flavor: string | undefined): FoundMapping[] {
  if (flavor === undefined && mappings.length <= 1) return [...mappings]
  const wanted = mappings.filter(({ variant }) => variant?.toLowerCase() === flavor?.toLowerCase())
  if (flavor !== undefined && wanted.length > 0) return wanted
  const names = mappings.map(({ variant, path }) => variant ?? path).join(', ')
  const fix = `There are mappings of: ${names || 'none'}. Choose one: --flavor NAME.`
  throw flavor === undefined
    ? new CliError('usage', `There are ${mappings.length} mappings`, { fix })
    : new CliError('notFound', `There is no mapping of the variant ${flavor}`, { fix })
}

function toUuids(files: readonly { images: readonly { uuid: string }[] }[]): string[] {
  return files.flatMap(({ images }) => images.map(({ uuid }) => uuid))
}

async function filterAsync<Item>(items: readonly Item[], isWanted: (item: Item) => Promise<boolean>): Promise<Item[]> {
  const wanted = await Promise.all(items.map(isWanted))
  return items.filter((_, place) => wanted[place])
}
