import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Client } from '@fairlead/client'
import { CliError } from '../cli-error.ts'
import { readAppFile } from '../files/read-app-file.ts'
import type { Io } from '../io.ts'
import type { FoundMapping } from './find-symbols.ts'

/** The build that a mapping belongs to, which the file itself does not say. */
export interface MappingIdentity {
  bundleIdentifier: string
  shortVersion: string
  version: string
}

export interface IdentityFlags {
  readonly package?: string
  readonly versionName?: string
  readonly versionCode?: string
  /** The APK, or the id of the build on the server, to which the mapping belongs. */
  readonly for?: string
}

/**
 * Finds the build of a mapping: from flags, from the APK or the build that --for names, or from the
 * `output-metadata.json` that Gradle writes beside the APK of the variant.
 */
export async function requireMappingIdentity(
  io: Io,
  client: Client,
  flags: IdentityFlags,
  mapping: FoundMapping,
): Promise<MappingIdentity> {
  const base = flags.for === undefined ? await readGradleMetadata(mapping) : await readNamedBuild(io, client, flags.for)
  const bundleIdentifier = flags.package ?? base?.bundleIdentifier
  const shortVersion = flags.versionName ?? base?.shortVersion
  const version = flags.versionCode ?? base?.version
  if (bundleIdentifier !== undefined && shortVersion !== undefined && version !== undefined) {
    return { bundleIdentifier, shortVersion, version }
  }
  throw new CliError('usage', `${mapping.path} does not say which build it belongs to`, {
    fix: 'Add --for app.apk, --for BUILD_ID, or --package, --version-name and --version-code.',
  })
}

async function readNamedBuild(io: Io, client: Client, named: string): Promise<MappingIdentity> {
  if (/^[1-9][0-9]{0,14}$/.test(named)) return await client.builds.get(Number(named), { signal: io.signal })
  const { bundleIdentifier, shortVersion, version } = await readAppFile(named, resolve(io.cwd, named))
  return { bundleIdentifier, shortVersion: shortVersion ?? '', version: version ?? '' }
}

interface OutputMetadata {
  applicationId?: unknown
  variantName?: unknown
  elements?: { versionCode?: unknown; versionName?: unknown }[]
}

/** Searches `build/outputs/apk` for the metadata of the mapping's variant. */
async function readGradleMetadata({ path, variant }: FoundMapping): Promise<MappingIdentity | undefined> {
  if (variant === null) return undefined
  const outputs = dirname(dirname(dirname(path)))
  const entries = await readdir(join(outputs, 'apk'), { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries.filter(({ name }) => name === 'output-metadata.json')) {
    const metadata = parseMetadata(await readFile(join(entry.parentPath, entry.name), 'utf8'))
    const element = metadata?.elements?.[0]
    if (metadata?.variantName !== variant || typeof metadata.applicationId !== 'string' || !element) continue
    const { versionCode, versionName } = element
    if (typeof versionCode !== 'number' || typeof versionName !== 'string') continue
    return { bundleIdentifier: metadata.applicationId, shortVersion: versionName, version: String(versionCode) }
  }
  return undefined
}

function parseMetadata(text: string): OutputMetadata | undefined {
  try {
    // Every field is checked before it is used.
    const metadata: OutputMetadata = JSON.parse(text)
    return metadata
  } catch {
    return undefined
  }
}

/** R8 writes the id into the comments at the top. */
const headBytes = 64 * 1024

/** Returns the id of a mapping, which traces may carry; null if it has none. */
export async function readMapId(path: string): Promise<string | null> {
  let head = ''
  for await (const chunk of createReadStream(path, { encoding: 'utf8', end: headBytes - 1 })) head += String(chunk)
  return /^#\s*pg_map_id:\s*([0-9a-f]+)/im.exec(head)?.[1] ?? null
}
