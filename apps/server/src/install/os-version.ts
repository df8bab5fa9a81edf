import type { Platform } from '@fairlead/contract'

/**
 * The marketing versions of Android by API level, starting with level 1: manifests name levels, people know versions.
 */
const androidVersions = (
  '1.0 1.1 1.5 1.6 2.0 2.0.1 2.1 2.2 2.3 2.3.3 3.0 3.1 3.2 4.0 4.0.3 4.1 4.2 4.3 4.4 4.4W ' +
  '5.0 5.1 6.0 7.0 7.1 8.0 8.1 9 10 11 12 12L 13 14 15 16 17'
).split(' ')

/** Returns the Android version of an API level, or undefined for code names of previews and unknown levels. */
export function toAndroidVersion(apiLevel: string): string | undefined {
  return /^\d{1,3}$/.test(apiLevel) ? androidVersions[Number(apiLevel) - 1] : undefined
}

/**
 * Returns the minimum system of a build as people call it, such as `Android 8.0` or `iOS 15.0`. Null when there is no
 * minimum.
 */
export function toSystemName(platform: Platform, minOsVersion: string | null): string | null {
  if (minOsVersion === null || minOsVersion === '') return null
  if (platform === 'ios') return nameSystem('ios', minOsVersion)
  const version = toAndroidVersion(minOsVersion) ?? (/^\d+$/.test(minOsVersion) ? `API ${minOsVersion}` : minOsVersion)
  return nameSystem('android', version)
}

/** Joins system and version with a no-break space. */
export function nameSystem(platform: Platform, version: string): string {
  return `${platform === 'ios' ? 'iOS' : 'Android'}\u00A0${version}`
}

/** Tells whether a version is certainly older than the needed one. A missing part counts as the newest possible. */
export function isOlder(version: string, needed: string): boolean {
  const has = version.split('.').map((part) => Number.parseInt(part, 10))
  const wants = needed.split('.').map((part) => Number.parseInt(part, 10))
  for (const [index, want] of wants.entries()) {
    const own = has[index]
    if (own === undefined || Number.isNaN(own) || Number.isNaN(want)) return false
    if (own !== want) return own < want
  }
  return false
}
