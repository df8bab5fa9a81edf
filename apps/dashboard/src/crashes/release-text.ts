import type { CrashRelease } from '@fairlead/contract'
import { formatCount } from '../ui/format.ts'

/** Formats a release as `2.4.1 (42)`, or with the one of the two versions that is known. */
export function toReleaseText({ shortVersion, version }: CrashRelease): string {
  if (shortVersion === null) return version ?? 'an unknown version'
  return version === null ? shortVersion : `${shortVersion} (${version})`
}

/** Formats on how many installs it happened, as a number of people; `≈` marks an estimate. */
export function toPeople(counted: { installCount: number; isInstallCountApproximate: boolean }): string {
  return `${counted.isInstallCountApproximate ? '≈ ' : ''}${formatCount(counted.installCount, 'person', 'people')}`
}
