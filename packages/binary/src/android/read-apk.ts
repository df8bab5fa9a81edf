import type { AppIcon, AppInfo } from '../app-info.ts'
import { BinaryError } from '../binary-error.ts'
import { attempt } from '../attempt.ts'
import type { ReadAppOptions } from '../read-app-options.ts'
import { sliceSource } from '../source/byte-source.ts'
import { PagedBytes } from '../source/paged-bytes.ts'
import type { ZipEntry } from '../zip/directory.ts'
import type { ZipArchive } from '../zip/zip.ts'
import { describeManifest } from './describe-manifest.ts'
import { findIcon } from './find-icon.ts'
import { listInstallWarnings } from './install-warnings.ts'
import { type Manifest, parseManifest } from './manifest.ts'
import { readSigning } from './read-signing.ts'
import { parseResourceTable } from './resource-table.ts'
import { noResources, type Resources } from './resources.ts'

/**
 * Both limits together stay below the 64 MB that reading may take. Compressed tables are a tenth of this in practice.
 */
const maxManifestBytes = 16 * 1024 * 1024
const maxResourcesBytes = 40 * 1024 * 1024
/** A stored (uncompressed) resource table larger than this is read a page at a time. */
const readWholeBelow = 512 * 1024
const maxStoredBytes = 128 * 1024 * 1024

/**
 * Reads an APK. `manifestEntry` is its AndroidManifest.xml. A damaged resource table becomes a warning, because the
 * manifest alone is enough.
 */
export async function readApk(
  apk: ZipArchive,
  manifestEntry: ZipEntry,
  warnings: string[],
  { verify = false }: ReadAppOptions,
): Promise<AppInfo> {
  const manifest = parseManifest(apk.readEntry(manifestEntry, maxManifestBytes))
  const resources = openResources(apk, warnings)
  const info: AppInfo = {
    ...describeManifest(manifest, resources, warnings),
    icon: attempt('icon', null, warnings, () => readIconSource(apk, resources, manifest)),
    architectures: listArchitectures(apk),
    signing: await readSigning(apk, warnings, verify),
    warnings,
  }
  warnings.push(...listInstallWarnings(info))
  return info
}

/**
 * Opens the resource table. Recent Android requires it to be stored uncompressed so that it can be read in place; a
 * large one is read in place here too.
 */
function openResources(apk: ZipArchive, warnings: string[]): Resources {
  const entry = apk.findEntry('resources.arsc')
  if (!entry) return noResources
  return attempt('resources', noResources, warnings, () => {
    const stored = entry.uncompressedSize > readWholeBelow ? apk.locateStored(entry) : undefined
    if (!stored) return parseResourceTable(apk.readEntry(entry, maxResourcesBytes))
    if (stored.length > maxStoredBytes) throw new BinaryError('too-large', 'resources.arsc is too large.')
    return parseResourceTable(new PagedBytes(sliceSource(apk.source, stored.offset, stored.length)))
  })
}

function readIconSource(apk: ZipArchive, resources: Resources, manifest: Manifest): AppIcon | null {
  for (const icon of [manifest.icon, manifest.roundIcon, manifest.launcher?.icon]) {
    const found = icon && findIcon(apk, resources, icon)
    if (found) return found
  }
  return null
}

/** Lists the ABIs, which are the names of the folders in `lib/`. */
function listArchitectures(apk: ZipArchive): string[] {
  const found = new Set<string>()
  for (const { name } of apk.entries) {
    const [, architecture] = (name.startsWith('lib/') && /^lib\/([A-Za-z0-9_-]{1,32})\/[^/]+$/.exec(name)) || []
    if (architecture !== undefined) found.add(architecture)
  }
  return [...found].sort()
}
