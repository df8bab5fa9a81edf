import type { AppIcon, AppInfo } from '../app-info.ts'
import { BinaryError } from '../binary-error.ts'
import { clipText, requireIdentifier } from '../identifier.ts'
import type { ReadAppOptions } from '../read-app.ts'
import type { ZipEntry } from '../zip/directory.ts'
import type { ZipArchive } from '../zip/zip.ts'
import { findIcon } from './find-icon.ts'
import { listInstallWarnings } from './install-warnings.ts'
import { type Manifest, parseManifest } from './manifest.ts'
import { type ConfiguredValue, noResources, parseResources, pickDefault, type Resources } from './resources.ts'
import { readSigning } from './read-signing.ts'
import { isReference, toInteger, toText, type Value } from './value.ts'

const maxManifestBytes = 32 * 1024 * 1024
const maxResourcesBytes = 48 * 1024 * 1024
const maxLocales = 500

/** Reads an APK; `manifestEntry` is its AndroidManifest.xml. Oddities of the resources become warnings: the manifest alone is enough. */
export async function readApk(
  apk: ZipArchive,
  manifestEntry: ZipEntry,
  warnings: string[],
  { verify = false }: ReadAppOptions,
): Promise<AppInfo> {
  const manifest = parseManifest(apk.readEntry(manifestEntry, maxManifestBytes))
  const bundleIdentifier = requireIdentifier(manifest.package)
  const resources = openResources(apk, warnings)
  const read = <T>(what: string, fallback: T, reader: () => T): T => attempt(what, fallback, warnings, reader)
  const flag = (value: Value | undefined) => value !== undefined && (toInteger(resolve(resources, value)) ?? 0) !== 0

  const label = manifest.label ?? manifest.launcher?.label
  const { name, names } = read('name', { name: undefined, names: {} }, () => readNames(resources, label))
  const info: AppInfo = {
    platform: 'android',
    bundleIdentifier,
    shortVersion: read('version name', null, () => textOf(resources, manifest.versionName)),
    version: read('version code', null, () => readVersionCode(resources, manifest)),
    name: name ?? bundleIdentifier,
    names,
    icon: read('icon', null, () => readIconSource(apk, resources, manifest)),
    minOsVersion: read('minimum SDK version', null, () => textOf(resources, manifest.minSdkVersion)),
    targetOsVersion: read('target SDK version', null, () => textOf(resources, manifest.targetSdkVersion)),
    permissions: read('permissions', [], () => readPermissions(resources, manifest)),
    debuggable: read('debuggable flag', false, () => flag(manifest.debuggable)),
    architectures: listArchitectures(apk),
    deviceFamilies: [],
    signing: await readSigning(apk, warnings, verify),
    split: manifest.split === undefined || manifest.split === '' ? null : clipText(manifest.split),
    nested: [],
    warnings,
  }
  const needsSplits = read('split requirement', false, () => flag(manifest.isSplitRequired))
  const isTestOnly = read('test flag', false, () => flag(manifest.testOnly))
  warnings.push(...listInstallWarnings(info, { needsSplits, isTestOnly }))
  return info
}

function openResources(apk: ZipArchive, warnings: string[]): Resources {
  const entry = apk.findEntry('resources.arsc')
  if (!entry) return noResources
  return attempt('resources', noResources, warnings, () => parseResources(apk.readEntry(entry, maxResourcesBytes)))
}

function attempt<T>(what: string, fallback: T, warnings: string[], read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
    warnings.push(`The ${what} could not be read: ${error.message}`)
    return fallback
  }
}

function resolve(resources: Resources, value: Value): Value {
  return resources.resolve(value) ?? { type: 0, data: 0 }
}

function textOf(resources: Resources, value: Value | undefined): string | null {
  const text = value && toText(resolve(resources, value))
  return text === undefined ? null : clipText(text)
}

function readVersionCode(resources: Resources, manifest: Manifest): string | null {
  const code = manifest.versionCode && toInteger(resolve(resources, manifest.versionCode))
  const major = manifest.versionCodeMajor && toInteger(resolve(resources, manifest.versionCodeMajor))
  if (code === undefined && major === undefined) return null
  return String((BigInt(major ?? 0) << 32n) | BigInt(code ?? 0))
}

function readNames(
  resources: Resources,
  label: Value | undefined,
): { name: string | undefined; names: Record<string, string> } {
  if (!label) return { name: undefined, names: {} }
  if (!isReference(label)) return { name: toName(label), names: {} }
  const values = resources.findAll(label.data)
  const byLocale = Map.groupBy(values, ({ config }) => config.locale)
  const name = nameOf(values)
  const names: [string, string][] = []
  for (const [locale, ofLocale] of [...byLocale].slice(0, maxLocales)) {
    const translated = nameOf(ofLocale)
    if (locale !== '' && translated !== undefined && translated !== name) names.push([locale, translated])
  }
  return { name, names: Object.fromEntries(names.sort(([a], [b]) => (a < b ? -1 : 1))) }
}

function nameOf(values: ConfiguredValue[]): string | undefined {
  const picked = pickDefault(values)
  return picked && toName(picked.value)
}

function toName(value: Value): string | undefined {
  const text = toText(value)
  return text === undefined || text === '' ? undefined : clipText(text)
}

function readPermissions(resources: Resources, manifest: Manifest): string[] {
  const names = new Set(manifest.permissions.map((permission) => textOf(resources, permission) ?? ''))
  names.delete('')
  return [...names].sort()
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
