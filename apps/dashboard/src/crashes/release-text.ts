import type { CrashRelease } from '@fairlead/contract'
import { formatCount } from '../ui/format.ts'

/** `2.4.1 (42)`, or as much of it as is known. */
export function toReleaseText({ shortVersion, version }: CrashRelease): string {
  if (shortVersion === null) return version ?? 'an unknown version'
  return version === null ? shortVersion : `${shortVersion} (${version})`
}

/** The sign tells that the number is an estimate. */
export function toInstallText(counted: { installCount: number; isInstallCountApproximate: boolean }): string {
  return `${counted.isInstallCountApproximate ? '≈ ' : ''}${formatCount(counted.installCount, 'install')}`
}
