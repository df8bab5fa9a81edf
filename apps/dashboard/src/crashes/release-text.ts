import type { CrashRelease } from '@fairlead/contract'
import { formatCount } from '../ui/format.ts'

/** Formats a release as `2.4.1 (42)`, or with the one of the two versions that is known. */
export function toReleaseText({ shortVersion, version }: CrashRelease): string {
  if (shortVersion === null) return version ?? 'an unknown version'
  return version === null ? shortVersion : `${shortVersion} (${version})`
}

/** Formats the number of installs; `≈` marks an estimate. */
export function toInstallText(counted: { installCount: number; isInstallCountApproximate: boolean }): string {
  return `${counted.isInstallCountApproximate ? '≈ ' : ''}${formatCount(counted.installCount, 'install')}`
}
