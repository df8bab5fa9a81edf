import type { Platform } from '@fairlead/contract'
import type { BuildDetails } from '../db/schema/build-details.ts'

/** A reason in the build itself why its installation fails, on every device or on some. */
export type BuildObstacle =
  | { kind: 'partOfApp' }
  | { kind: 'testOnly' }
  | { kind: 'simulatorOnly' }
  | { kind: 'notSigned'; platform: Platform }
  | { kind: 'brokenSignature' }
  | { kind: 'oldSignature' }
  | { kind: 'profileExpired'; date: number }
  | { kind: 'appStoreOnly' }
  | { kind: 'registeredDevicesOnly'; count: number | null }
  /** `since` is the first Android that refuses the build, `madeFor` the newest one that is refused as its target. */
  | { kind: 'targetTooOld'; since: string; madeFor: string }

const partial = new Set<BuildObstacle['kind']>(['oldSignature', 'registeredDevicesOnly', 'targetTooOld'])

/** Tells whether the obstacle prevents the installation on every device, not only on some. */
export function preventsInstallation({ kind }: BuildObstacle): boolean {
  return !partial.has(kind)
}

/** The details of a build that tell whether devices accept it. */
export type InstallDetails = Pick<BuildDetails, 'signing' | 'limits'>

/** A build row with its details parsed. */
export interface InstalledBuild {
  platform: Platform
  min_os_version: string | null
  target_os_version: string | null
  details: InstallDetails
}

/** The API level that apps have to target for each Android that raised it, the oldest first. */
const leastTargets = [
  { target: 23, since: '14', madeFor: '5.1' },
  { target: 24, since: '15', madeFor: '6.0' },
]
/** Android 11 and later require more than a v1 (JAR) signature from apps that target this API level. */
const leastTargetOfBlocks = 30

/** Finds the obstacles that are in the build itself. The install page and the API's warnings both come from here. */
export function findBuildObstacles(build: InstalledBuild, now: number): BuildObstacle[] {
  return build.platform === 'ios' ? findAppleObstacles(build, now) : findAndroidObstacles(build)
}

/** When the provisioning profile of a build ends, in epoch milliseconds; Infinity without one or without an end. */
export function findProfileEnd({ signing }: InstallDetails): number {
  const date = signing?.profile?.expirationDate ?? null
  return date === null ? Infinity : Date.parse(date)
}

function findAppleObstacles({ details }: InstalledBuild, now: number): BuildObstacle[] {
  const obstacles: BuildObstacle[] = []
  if (details.limits?.isForSimulator === true) obstacles.push({ kind: 'simulatorOnly' })
  const profile = details.signing?.profile
  if (!profile) return [...obstacles, { kind: 'notSigned', platform: 'ios' }]
  const date = findProfileEnd(details)
  if (date <= now) obstacles.push({ kind: 'profileExpired', date })
  if (profile.type === 'app-store') obstacles.push({ kind: 'appStoreOnly' })
  if (profile.type === 'development' || profile.type === 'ad-hoc') {
    obstacles.push({ kind: 'registeredDevicesOnly', count: profile.deviceCount })
  }
  return obstacles
}

function findAndroidObstacles({ details, min_os_version, target_os_version }: InstalledBuild): BuildObstacle[] {
  const obstacles: BuildObstacle[] = []
  // Without a target, the target is the minimum version. The code name of a preview becomes NaN, which no comparison
  // below treats as old.
  const target = Number(target_os_version ?? min_os_version ?? Number.NaN)
  const refusal = leastTargets.find((least) => target < least.target)
  if (refusal) obstacles.push({ kind: 'targetTooOld', since: refusal.since, madeFor: refusal.madeFor })
  if (details.limits?.isPartOfApp === true) obstacles.push({ kind: 'partOfApp' })
  if (details.limits?.isTestOnly === true) obstacles.push({ kind: 'testOnly' })
  const { certificates = [], integrity = 'none' } = details.signing ?? {}
  const isOldWay = certificates.every(({ scheme }) => scheme === 'v1')
  if (certificates.length === 0) obstacles.push({ kind: 'notSigned', platform: 'android' })
  else if (integrity === 'broken') obstacles.push({ kind: 'brokenSignature' })
  else if (isOldWay && target >= leastTargetOfBlocks) obstacles.push({ kind: 'oldSignature' })
  return obstacles
}
