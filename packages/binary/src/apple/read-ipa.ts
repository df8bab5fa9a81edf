import type { AppInfo, DeviceFamily, NestedBundle, Platform, ProvisioningProfile } from '../app-info.ts'
import { BinaryError } from '../binary-error.ts'
import { clipText, requireIdentifier } from '../identifier.ts'
import { listArchitectures } from '../mach-o/header.ts'
import { parsePlist } from '../plist/plist.ts'
import { isPlistDictionary, type PlistDictionary } from '../plist/plist-value.ts'
import type { ZipEntry } from '../zip/directory.ts'
import type { ZipArchive } from '../zip/zip.ts'
import { findAppIcon } from './find-app-icon.ts'
import { readLocalizedNames } from './localized-names.ts'
import { parseProfile } from './profile.ts'

const maxPlistBytes = 4 * 1024 * 1024
const maxNested = 50
/** Limit for the property lists of all nested bundles together. */
const maxNestedBytes = 4 * 1024 * 1024
const mainPlist = /^Payload\/[^/]+\.app\/Info\.plist$/

/** Reads an IPA, or returns undefined if the archive has no app in a Payload folder. */
export function readIpa(ipa: ZipArchive, warnings: string[]): AppInfo | undefined {
  const mains = ipa.entries.filter(({ name }) => mainPlist.test(name))
  const [main] = mains
  if (!main) return undefined
  if (mains.length > 1) throw new BinaryError('ambiguous', 'It holds more than one app in its Payload folder.')
  const folder = main.name.slice(0, -'Info.plist'.length)
  const info = readInfoPlist(ipa, main, maxPlistBytes)
  const text = (key: string) => readText(info[key])

  const bundleIdentifier = text('CFBundleIdentifier')
  if (bundleIdentifier === null) throw new BinaryError('missing-field', 'Info.plist has no CFBundleIdentifier.')
  const platform = toPlatform(info)
  const isForSimulator = isBuiltForSimulator(info)
  if (isForSimulator) warnings.push('This app is built for the simulator and cannot be installed on a device.')
  const executable = text('CFBundleExecutable')
  const profile = readProfile(ipa, folder, platform, warnings)
  return {
    platform,
    bundleIdentifier: requireIdentifier(bundleIdentifier),
    shortVersion: text('CFBundleShortVersionString') ?? readNumber(info['CFBundleShortVersionString']),
    version: text('CFBundleVersion') ?? readNumber(info['CFBundleVersion']),
    name: text('CFBundleDisplayName') ?? text('CFBundleName') ?? executable ?? bundleIdentifier,
    names: readLocalizedNames(ipa, folder, warnings),
    icon: findAppIcon(ipa, folder, info),
    minOsVersion: text('MinimumOSVersion') ?? text('LSMinimumSystemVersion'),
    targetOsVersion: text('DTPlatformVersion'),
    permissions: Object.keys(info)
      .filter((key) => /^NS[A-Za-z]{1,80}UsageDescription$/.test(key))
      .sort(),
    debuggable: profile?.entitlements['get-task-allow'] === true,
    architectures: executable === null ? [] : readArchitectures(ipa, folder, executable, warnings),
    deviceFamilies: toDeviceFamilies(info),
    signing: { integrity: profile ? 'extracted' : 'none', certificates: [], lineage: [], blockIds: [], profile },
    split: null,
    needsSplits: false,
    isTestOnly: false,
    isForSimulator,
    nested: listNested(ipa, folder, warnings),
    warnings,
  }
}

function readInfoPlist(ipa: ZipArchive, entry: ZipEntry, maxBytes: number): PlistDictionary {
  const info = parsePlist(ipa.readEntry(entry, maxBytes))
  if (!isPlistDictionary(info)) throw new BinaryError('malformed-plist', 'Info.plist is not a dictionary.')
  return info
}

/** Returns a non-empty string. Values of other types are not converted, because iOS does not convert them either. */
function readText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? clipText(value) : null
}

/** Some tools write versions as integers, and iOS accepts them. */
function readNumber(value: unknown): string | null {
  return typeof value === 'number' && Number.isInteger(value) ? String(value) : null
}

const platforms: Record<string, Platform> = {
  iphoneos: 'ios',
  appletvos: 'tvos',
  xros: 'visionos',
  watchos: 'watchos',
  macosx: 'macos',
}

function listPlatforms(info: PlistDictionary): string[] {
  const supported = info['CFBundleSupportedPlatforms']
  const names = [...(Array.isArray(supported) ? supported : []), info['DTPlatformName']]
  return names.filter((name) => typeof name === 'string').map((name) => name.toLowerCase())
}

function isBuiltForSimulator(info: PlistDictionary): boolean {
  const names = listPlatforms(info)
  return names.length > 0 && names.every((name) => name.endsWith('simulator'))
}

function toPlatform(info: PlistDictionary): Platform {
  for (const name of listPlatforms(info)) {
    const platform = platforms[name] ?? platforms[name.replace('simulator', 'os')]
    if (platform) return platform
  }
  return 'ios'
}

const families: Record<number, DeviceFamily> = { 1: 'iphone', 2: 'ipad', 3: 'tv', 4: 'watch', 6: 'mac', 7: 'vision' }

function toDeviceFamilies(info: PlistDictionary): DeviceFamily[] {
  const listed = info['UIDeviceFamily']
  const numbers = Array.isArray(listed) ? listed : [listed]
  const found = numbers.map((number) =>
    typeof number === 'number' || typeof number === 'string' ? families[Number(number)] : undefined,
  )
  return [...new Set(found.filter((family) => family !== undefined))]
}

function readProfile(
  ipa: ZipArchive,
  folder: string,
  platform: Platform,
  warnings: string[],
): ProvisioningProfile | null {
  const entry =
    ipa.findEntry(`${folder}embedded.mobileprovision`) ?? ipa.findEntry(`${folder}embedded.provisionprofile`)
  if (!entry) {
    warnings.push('This app has no provisioning profile, so it cannot be installed outside the App Store.')
    return null
  }
  try {
    return parseProfile(ipa.readEntry(entry, maxPlistBytes), platform)
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
    warnings.push(`The provisioning profile could not be read: ${error.message}`)
    return null
  }
}

function readArchitectures(ipa: ZipArchive, folder: string, executable: string, warnings: string[]): string[] {
  const entry = ipa.findEntry(folder + executable)
  const names = entry ? listArchitectures(ipa.readEntryStart(entry, 4096)) : []
  if (names.length === 0) warnings.push('The executable that Info.plist names is missing or is not a Mach-O file.')
  return names
}

/** Lists apps and extensions inside the app, such as watch apps, widgets and app clips. */
function listNested(ipa: ZipArchive, folder: string, warnings: string[]): NestedBundle[] {
  const nested: NestedBundle[] = []
  let bytesLeft = maxNestedBytes
  for (const entry of ipa.entries) {
    if (!entry.name.startsWith(folder) || !/\.(app|appex)\/Info\.plist$/.test(entry.name.slice(folder.length))) continue
    bytesLeft -= entry.uncompressedSize
    if (nested.length >= maxNested || bytesLeft < 0) break
    const path = clipText(entry.name.slice(0, -'/Info.plist'.length))
    try {
      const info = readInfoPlist(ipa, entry, maxPlistBytes)
      const extension = info['NSExtension'] ?? info['EXAppExtensionAttributes']
      const point = isPlistDictionary(extension)
        ? (extension['NSExtensionPointIdentifier'] ?? extension['EXExtensionPointIdentifier'])
        : null
      nested.push({ path, bundleIdentifier: readText(info['CFBundleIdentifier']), extensionPoint: readText(point) })
    } catch (error) {
      if (!(error instanceof BinaryError)) throw error
      warnings.push(`Info.plist of a nested bundle could not be read: ${error.message}`)
      nested.push({ path, bundleIdentifier: null, extensionPoint: null })
    }
  }
  return nested
}
