import { BinaryError, isPlistDictionary, parsePlist, type ZipArchive } from '@fairlead/binary'
import { SymbolsError } from '../symbols-error.ts'

const prefix = 'com.apple.xcode.dsym.'
const maxPlistBytes = 4 * 1024 * 1024

/**
 * The app that a bundle belongs to, by its Info.plist. It is only shown: plists can be wrong, so crashes are matched by
 * UUID.
 */
export interface BundleIdentity {
  bundleIdentifier: string | null
  shortVersion: string | null
  version: string | null
}

export const unknownIdentity: BundleIdentity = { bundleIdentifier: null, shortVersion: null, version: null }

/**
 * Reads `Contents/Info.plist` of a bundle. If it is missing or damaged, `problems` says so and the bundle is known by
 * its UUIDs only. Throws `malformed-zip` if the archive itself cannot be read.
 */
export function readIdentity(archive: ZipArchive, bundle: string, problems: string[]): BundleIdentity {
  const path = `${bundle}Contents/Info.plist`.toLowerCase()
  const entry = archive.entries.find(({ name }) => name.toLowerCase() === path)
  if (!entry) {
    problems.push(`${bundle} has no Info.plist.`)
    return unknownIdentity
  }
  if ((entry.flags & 1) === 1 || (entry.method !== 0 && entry.method !== 8)) {
    throw new SymbolsError('malformed-zip', `${path} is encrypted or compressed by the unknown method ${entry.method}.`)
  }
  try {
    const plist = parsePlist(archive.readEntry(entry, maxPlistBytes), { maxBytes: maxPlistBytes })
    if (!isPlistDictionary(plist)) return unknownIdentity
    const identifier = toText(plist['CFBundleIdentifier'])
    return {
      bundleIdentifier: identifier?.startsWith(prefix) ? identifier.slice(prefix.length) : identifier,
      shortVersion: toText(plist['CFBundleShortVersionString']),
      version: toText(plist['CFBundleVersion']),
    }
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
    problems.push(`The Info.plist of ${bundle} cannot be read. ${error.message}`)
    return unknownIdentity
  }
}

function toText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= 1024 ? value : null
}

/**
 * Chooses the bundle whose identity stands for the whole archive: the app before its extensions and frameworks, and
 * among several the one with the shortest identifier (`com.example.app` before `com.example.app.watchkitapp`).
 */
export function chooseIdentity(bundles: readonly (BundleIdentity & { bundle: string })[]): BundleIdentity {
  const named = bundles.filter(({ bundleIdentifier }) => bundleIdentifier !== null)
  const apps = named.filter(({ bundle }) => bundle.toLowerCase().endsWith('.app.dsym/'))
  const length = ({ bundleIdentifier }: BundleIdentity) => bundleIdentifier?.length ?? 0
  const [first] = (apps.length > 0 ? apps : named).toSorted((a, b) => length(a) - length(b))
  if (!first) return unknownIdentity
  const { bundleIdentifier, shortVersion, version } = first
  return { bundleIdentifier, shortVersion, version }
}
