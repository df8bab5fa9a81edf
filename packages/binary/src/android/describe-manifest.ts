import type { AppInfo } from '../app-info.ts'
import { attempt } from '../attempt.ts'
import { clipText, requireIdentifier } from '../identifier.ts'
import type { Manifest } from './manifest.ts'
import { type ConfiguredValue, pickDefault, type Resources } from './resources.ts'
import { isReference, toInteger, toText, type Value } from './value.ts'

const maxLocales = 500
/** Apps of vendors request a few hundred permissions; names are as long as class names. */
const maxPermissions = 1000
const maxPermissionLength = 255

/** The fields of AppInfo that come from the manifest alone, with resource references resolved. */
export type DescribedManifest = Omit<AppInfo, 'icon' | 'architectures' | 'signing' | 'warnings'>

/**
 * Describes a manifest. A reference that cannot be resolved becomes a warning.
 *
 * @throws BinaryError `invalid-identifier`.
 */
export function describeManifest(manifest: Manifest, resources: Resources, warnings: string[]): DescribedManifest {
  const bundleIdentifier = requireIdentifier(manifest.package)
  const read = <T>(what: string, fallback: T, reader: () => T): T => attempt(what, fallback, warnings, reader)
  const isSet = (value: Value | undefined) => value !== undefined && (toInteger(resolve(resources, value)) ?? 0) !== 0
  const label = manifest.label ?? manifest.launcher?.label
  const { name, names } = read('name', { name: undefined, names: {} }, () => readNames(resources, label))
  return {
    platform: 'android',
    bundleIdentifier,
    shortVersion: read('version name', null, () => textOf(resources, manifest.versionName)),
    version: read('version code', null, () => readVersionCode(resources, manifest)),
    name: name ?? bundleIdentifier,
    names,
    minOsVersion: read('minimum SDK version', null, () => textOf(resources, manifest.minSdkVersion)),
    targetOsVersion: read('target SDK version', null, () => textOf(resources, manifest.targetSdkVersion)),
    permissions: readPermissions(manifest, warnings),
    debuggable: read('debuggable flag', false, () => isSet(manifest.debuggable)),
    deviceFamilies: [],
    split: manifest.split === undefined || manifest.split === '' ? null : clipText(manifest.split),
    nested: [],
    needsSplits:
      (manifest.requiredSplitTypes?.text ?? '') !== '' ||
      read('split requirement', false, () => isSet(manifest.isSplitRequired)),
    isTestOnly: read('test flag', false, () => isSet(manifest.testOnly)),
    isForSimulator: false,
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

/** Permission names are taken literally, because Android does not resolve references here. */
function readPermissions(manifest: Manifest, warnings: string[]): string[] {
  const texts = new Set(manifest.permissions.map(({ text = '' }) => text).filter((text) => text !== ''))
  const names = [...texts].filter(isPermissionName).sort().slice(0, maxPermissions)
  if (names.length < texts.size) {
    warnings.push(`${texts.size - names.length} requested permissions are left out: too many, or no valid names.`)
  }
  return names
}

/** True for a name without spaces and without control or format characters. Unresolved placeholders occur and count. */
function isPermissionName(text: string): boolean {
  return text.length <= maxPermissionLength && text.isWellFormed() && !/[\p{C}\p{Z}]/u.test(text)
}
