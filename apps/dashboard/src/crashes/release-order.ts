import type { CrashRelease } from '@fairlead/contract'

type Versions = Pick<CrashRelease, 'version' | 'shortVersion'>

/** Compares runs of digits as numbers, so that 2.10 is later than 2.9. */
const natural = new Intl.Collator('en', { numeric: true })

/** Orders releases like the server, by build number and else by version, the newest first. */
export function compareNewestFirst(one: Versions, other: Versions): number {
  const [build, otherBuild] = [one.version ?? '', other.version ?? '']
  const areNumbers = /^\d+$/.test(build) && /^\d+$/.test(otherBuild)
  const byBuild = natural.compare(otherBuild, build)
  const byVersion = natural.compare(other.shortVersion ?? '', one.shortVersion ?? '')
  return areNumbers ? byBuild || byVersion : byVersion || byBuild
}
