/** Chooses the native libraries, symbols of Dart and source maps that the server lacks. */
import { basename } from 'node:path'
import type { Client } from '@fairlead/client'
import { CliError } from '../cli-error.ts'
import { digest } from '../files/digest.ts'
import { readArchivedLibraries } from './archived-libraries.ts'
import { toBundleName } from './bundle-identity.ts'
import type { FoundLibrary, FoundSymbols } from './find-symbols.ts'
import type { MappingIdentity } from './mapping-identity.ts'

type HeldFile = Awaited<ReturnType<Client['symbols']['list']>>[number]

export interface PlannedArchive {
  path: string
  /** The entries that the server lacks; null for all. */
  entries: string[] | null
}

export interface PlannedDartMap {
  path: string
  /** The symbols that it belongs to; it is sent once for each. */
  debugIds: string[]
}

export interface PlannedSourceMap {
  path: string
  bundleName: string
  identity: MappingIdentity | undefined
}

interface Planning {
  held: readonly HeldFile[]
  /** Paths of symbols that the server has are added to it. */
  skipped: string[]
  sendsAll: boolean
}

/** Plans to send those entries of each archive of libraries whose build ids the server lacks under their names. */
export async function planArchives(paths: readonly string[], planning: Planning): Promise<PlannedArchive[]> {
  const { held, skipped, sendsAll } = planning
  const known = new Set(held.flatMap(({ images }) => images.map(({ name, uuid }) => `${uuid.toUpperCase()} ${name}`)))
  const planned: PlannedArchive[] = []
  for (const path of paths) {
    const libraries = await readArchivedLibraries(path).catch(() => [])
    const missing = libraries.filter(({ name, uuid }) => uuid === null || !known.has(`${uuid} ${name}`))
    if (sendsAll || missing.length === libraries.length) planned.push({ path, entries: null })
    else if (missing.length > 0) planned.push({ path, entries: missing.map(({ entry }) => entry) })
    else skipped.push(path)
  }
  return planned
}

/**
 * A library is there if the server has its bytes, or its build id under its name in an archive or in a file that is at
 * least as large: a stripped library has the build id of the whole one.
 */
export async function planLibraries(libraries: readonly FoundLibrary[], planning: Planning): Promise<string[]> {
  const { held, skipped, sendsAll } = planning
  const planned: string[] = []
  for (const { path, debugId, size } of libraries) {
    const sha256 = await digest(path)
    const isHeld = held.some((file) => {
      if (file.sha256 === sha256) return true
      const image = file.images.find(({ uuid }) => uuid.toUpperCase() === debugId)
      return file.kind === 'elf' && image?.name === basename(path) && (file.images.length > 1 || file.size >= size)
    })
    if (isHeld && !sendsAll) skipped.push(path)
    else planned.push(path)
  }
  return planned
}

/** An obfuscation map belongs to all symbols of Dart that are named with it, or to those of --debug-id. */
export async function planDartMaps(
  { dartMaps, libraries }: FoundSymbols,
  debugId: string | undefined,
  { held, skipped, sendsAll }: Planning,
): Promise<PlannedDartMap[]> {
  const ids = debugId === undefined ? libraries.filter(({ isDart }) => isDart).map((one) => one.debugId) : [debugId]
  const planned: PlannedDartMap[] = []
  for (const path of dartMaps) {
    if (ids.length === 0) {
      throw new CliError('usage', `${path} does not say which symbols it belongs to`, {
        fix: 'Name the .symbols of the same build with it, or add --debug-id ID.',
      })
    }
    const sha256 = await digest(path)
    const missing = ids.filter((id) => sendsAll || !held.some((file) => isMapOf(file, sha256, id)))
    if (missing.length > 0) planned.push({ path, debugIds: missing })
    else skipped.push(path)
  }
  return planned
}

function isMapOf(file: HeldFile, sha256: string, debugId: string): boolean {
  return file.sha256 === sha256 && file.images.some(({ uuid }) => isSameId(uuid, debugId))
}

function isSameId(a: string, b: string): boolean {
  return a.replaceAll('-', '').toLowerCase() === b.replaceAll('-', '').toLowerCase()
}

/** A source map is named after its bundle: `index.android.bundle.map`. */
export async function planSourceMaps(
  paths: readonly string[],
  { held, skipped, sendsAll }: Planning,
  { bundleName, identity }: { bundleName: string | undefined; identity: MappingIdentity | undefined },
): Promise<PlannedSourceMap[]> {
  const planned: PlannedSourceMap[] = []
  for (const path of paths) {
    const sha256 = await digest(path)
    const bundle = bundleName ?? toBundleName(path)
    // Releases may share a map, and each of them needs it.
    const isHeld = held.some(
      (file) =>
        file.sha256 === sha256 &&
        file.images.some(({ name }) => name === bundle) &&
        (identity === undefined ||
          (file.bundleIdentifier === identity.bundleIdentifier &&
            file.shortVersion === identity.shortVersion &&
            file.version === identity.version)),
    )
    if (isHeld && !sendsAll) skipped.push(path)
    else planned.push({ path, bundleName: bundle, identity })
  }
  return planned
}
