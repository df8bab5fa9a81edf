import type { Row } from '../db/schema.ts'

type Release = Pick<Row<'releases'>, 'id' | 'version' | 'short_version' | 'first_seen_at'>

/** Orders releases by build number, else by version, else by when they were first seen. */
export function compareReleases(one: Release, other: Release): number {
  // A version has one row for each environment, and these rows are equal in order.
  if (one.version === other.version && one.short_version === other.short_version && isNamed(one)) return 0
  return compareVersions(one, other) ?? (one.first_seen_at - other.first_seen_at || one.id - other.id)
}

function isNamed({ version, short_version: shortVersion }: Release): boolean {
  return version !== '' || shortVersion !== ''
}

/** Tells whether a crash in this release says that a group resolved in `version` is not resolved. */
export function isLaterThanVersion(release: Release, version: string, resolvedAt: number): boolean {
  if (release.version === version || release.short_version === version) return false
  const isNumber = /^\d+$/.test(version)
  const order = compareVersions(release, {
    version: isNumber ? version : '',
    short_version: isNumber ? '' : version,
  })
  return order === undefined ? release.first_seen_at > resolvedAt : order > 0
}

/** Undefined where neither the build numbers nor the versions can be compared, or they are equal. */
function compareVersions(
  one: Pick<Release, 'version' | 'short_version'>,
  other: Pick<Release, 'version' | 'short_version'>,
): number | undefined {
  if (/^\d{1,15}$/.test(one.version) && /^\d{1,15}$/.test(other.version) && one.version !== other.version) {
    return Number(one.version) - Number(other.version)
  }
  const [parts, otherParts] = [toNumbers(one.short_version), toNumbers(other.short_version)]
  if (!parts || !otherParts) return undefined
  for (let at = 0; at < Math.max(parts.length, otherParts.length); at++) {
    const difference = (parts[at] ?? 0) - (otherParts[at] ?? 0)
    if (difference !== 0) return difference
  }
  return undefined
}

/** The numbers of `2.10.1-beta`; undefined for text that does not begin with one. */
function toNumbers(version: string): number[] | undefined {
  const text = /^v?(\d{1,9}(?:\.\d{1,9}){0,5})/.exec(version)?.[1]
  return text?.split('.').map(Number)
}
