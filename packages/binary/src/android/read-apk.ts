import type { AppIcon, AppInfo } from '../app-info.ts'
import { attempt } from '../attempt.ts'
import type { ReadAppOptions } from '../read-app.ts'
import type { ZipEntry } from '../zip/directory.ts'
import type { ZipArchive } from '../zip/zip.ts'
import { describeManifest } from './describe-manifest.ts'
import { findIcon } from './find-icon.ts'
import { listInstallWarnings } from './install-warnings.ts'
import { type Manifest, parseManifest } from './manifest.ts'
import { readSigning } from './read-signing.ts'
import { parseResourceTable } from './resource-table.ts'
import { noResources, type Resources } from './resources.ts'

const maxManifestBytes = 32 * 1024 * 1024
const maxResourcesBytes = 48 * 1024 * 1024

/** Reads an APK; `manifestEntry` is its AndroidManifest.xml. Oddities of the resources become warnings: the manifest alone is enough. */
export async function readApk(
  apk: ZipArchive,
  manifestEntry: ZipEntry,
  warnings: string[],
  { verify = false }: ReadAppOptions,
): Promise<AppInfo> {
  const manifest = parseManifest(apk.readEntry(manifestEntry, maxManifestBytes))
  const resources = openResources(apk, warnings)
  const { needsSplits, isTestOnly, ...described } = describeManifest(manifest, resources, warnings)
  const info: AppInfo = {
    ...described,
    icon: attempt('icon', null, warnings, () => readIconSource(apk, resources, manifest)),
    architectures: listArchitectures(apk),
    signing: await readSigning(apk, warnings, verify),
    warnings,
  }
  warnings.push(...listInstallWarnings(info, { needsSplits, isTestOnly }))
  return info
}

function openResources(apk: ZipArchive, warnings: string[]): Resources {
  const entry = apk.findEntry('resources.arsc')
  if (!entry) return noResources
  return attempt('resources', noResources, warnings, () => parseResourceTable(apk.readEntry(entry, maxResourcesBytes)))
}

function readIconSource(apk: ZipArchive, resources: Resources, manifest: Manifest): AppIcon | null {
  for (const icon of [manifest.icon, manifest.roundIcon, manifest.launcher?.icon]) {
    const found = icon && findIcon(apk, resources, icon)
    if (found) return found
  }
  return null
}

/** The folders of `lib/`. */
function listArchitectures(apk: ZipArchive): string[] {
  const found = new Set<string>()
  for (const { name } of apk.entries) {
    const [, architecture] = (name.startsWith('lib/') && /^lib\/([A-Za-z0-9_-]{1,32})\/[^/]+$/.exec(name)) || []
    if (architecture !== undefined) found.add(architecture)
  }
  return [...found].sort()
}
