import type { DeviceFamily } from '@fairlead/binary'
import type { Platform } from '@fairlead/contract'
import type { BuildDetails, BuildRecord } from '../builds/build.ts'
import type { Device } from './device.ts'
import { isOlder, nameSystem, toAndroidVersion, toSystemName } from './os-version.ts'
import { isDebugSigned, type OtherBuilds } from './other-builds.ts'
import type { OtherBuild } from './store.ts'

/** A reason why an installation fails or may fail. */
export type Obstacle =
  | { kind: 'wrongDevice'; platform: Platform }
  | { kind: 'otherFamily'; devices: string }
  | { kind: 'partOfApp' }
  | { kind: 'testOnly' }
  | { kind: 'simulatorOnly' }
  | { kind: 'unreachableServer' }
  | { kind: 'insecureServer' }
  | { kind: 'notSigned'; platform: Platform }
  | { kind: 'brokenSignature' }
  | { kind: 'oldSignature' }
  | { kind: 'profileExpired'; date: number }
  | { kind: 'appStoreOnly' }
  | { kind: 'registeredDevicesOnly'; count: number | null }
  | { kind: 'systemTooOld'; needed: string; has: string }
  | { kind: 'targetTooOld' }
  | { kind: 'otherSigner'; build: OtherBuild; isDebug: boolean }
  | { kind: 'higherInstalled'; build: OtherBuild }
  | { kind: 'inAppBrowser'; platform: Platform }

/** Tells whether the obstacle prevents every installation, not only on some devices. */
export function isCertain({ kind }: Obstacle): boolean {
  return ![
    'registeredDevicesOnly',
    'otherSigner',
    'higherInstalled',
    'inAppBrowser',
    'targetTooOld',
    'oldSignature',
  ].includes(kind)
}

export interface Situation {
  build: BuildRecord
  device: Device
  baseUrl: string
  others: OtherBuilds
  now: number
}

/** Finds every known obstacle to an installation, the certain ones first. */
export function findObstacles(situation: Situation): Obstacle[] {
  const { build, device, baseUrl } = situation
  const obstacles: Obstacle[] = []
  if (device.platform !== null && device.platform !== build.platform) {
    // The other obstacles only matter on the right kind of device.
    return [{ kind: 'wrongDevice', platform: build.platform }]
  }
  const { hostname, protocol } = new URL(baseUrl)
  if (/^(localhost|127\..*|\[::1\])$/.test(hostname)) obstacles.push({ kind: 'unreachableServer' })
  if (build.platform === 'ios' && protocol !== 'https:') obstacles.push({ kind: 'insecureServer' })
  if (build.platform === 'ios') obstacles.push(...findAppleObstacles(situation))
  else obstacles.push(...findAndroidObstacles(situation))
  if (device.isInApp && device.platform !== null) obstacles.push({ kind: 'inAppBrowser', platform: device.platform })
  return obstacles.sort((a, b) => Number(isCertain(b)) - Number(isCertain(a)))
}

function findAppleObstacles({ build, device, now }: Situation): Obstacle[] {
  const obstacles: Obstacle[] = []
  const needed = build.min_os_version
  if (device.platform === 'ios' && device.osVersion !== null && needed !== null && isOlder(device.osVersion, needed)) {
    obstacles.push({
      kind: 'systemTooOld',
      needed: nameSystem('ios', needed),
      has: nameSystem('ios', device.osVersion),
    })
  }
  const { signing, limits } = readDetails(build)
  if (limits?.isForSimulator === true) obstacles.push({ kind: 'simulatorOnly' })
  const devices = limits && findOtherFamily(limits.deviceFamilies, device)
  if (devices !== undefined) obstacles.push({ kind: 'otherFamily', devices })
  const profile = signing?.profile
  if (!profile) return [...obstacles, { kind: 'notSigned', platform: 'ios' }]
  const date = profile.expirationDate === null ? Infinity : Date.parse(profile.expirationDate)
  if (date <= now) obstacles.push({ kind: 'profileExpired', date })
  if (profile.type === 'app-store') obstacles.push({ kind: 'appStoreOnly' })
  if (profile.type === 'development' || profile.type === 'ad-hoc') {
    obstacles.push({ kind: 'registeredDevicesOnly', count: profile.deviceCount })
  }
  return obstacles
}

const familyNames: Record<DeviceFamily, string> = {
  iphone: 'iPhone',
  ipad: 'iPad',
  tv: 'Apple TV',
  watch: 'Apple Watch',
  mac: 'Mac',
  vision: 'Apple Vision',
}

/** Names the devices an app is for, when this device is not one of them. An iPad runs iPhone apps. */
function findOtherFamily(families: DeviceFamily[], { family }: Device): string | undefined {
  if (family === null || families.length === 0 || families.includes(family)) return undefined
  if (family === 'ipad' && families.includes('iphone')) return undefined
  return families.map((name) => familyNames[name]).join(', ')
}

/** Android 14 and later refuse apps that target an API level below 23 (Android 6.0). */
const leastTarget = 23
/** Android 11 and later require more than a v1 (JAR) signature from apps that target this API level. */
const leastTargetOfBlocks = 30

function findAndroidObstacles({ build, device, others }: Situation): Obstacle[] {
  const obstacles: Obstacle[] = []
  const osVersion = device.platform === 'android' ? device.osVersion : null
  const needed = build.min_os_version === null ? undefined : toAndroidVersion(build.min_os_version)
  if (osVersion !== null && needed !== undefined && isOlder(osVersion, needed)) {
    const system = toSystemName('android', build.min_os_version) ?? ''
    obstacles.push({ kind: 'systemTooOld', needed: system, has: nameSystem('android', osVersion) })
  }
  // Without a target, the target is the minimum version. The code name of a preview becomes NaN, which no comparison
  // below treats as old.
  const target = Number(build.target_os_version ?? build.min_os_version ?? leastTarget)
  const mayRun = (version: string) => osVersion === null || !isOlder(osVersion, version)
  if (target < leastTarget && mayRun('14')) obstacles.push({ kind: 'targetTooOld' })

  const { signing, limits } = readDetails(build)
  if (limits?.isPartOfApp === true) obstacles.push({ kind: 'partOfApp' })
  if (limits?.isTestOnly === true) obstacles.push({ kind: 'testOnly' })
  const { certificates = [], integrity = 'none' } = signing ?? {}
  const isOldWay = certificates.every(({ scheme }) => scheme === 'v1')
  if (certificates.length === 0) obstacles.push({ kind: 'notSigned', platform: 'android' })
  else if (integrity === 'broken') obstacles.push({ kind: 'brokenSignature' })
  else if (isOldWay && target >= leastTargetOfBlocks && mayRun('11')) obstacles.push({ kind: 'oldSignature' })

  if (others.otherSigner) {
    obstacles.push({ kind: 'otherSigner', build: others.otherSigner, isDebug: isDebugSigned(certificates) })
  }
  if (others.higher) obstacles.push({ kind: 'higherInstalled', build: others.higher })
  return obstacles
}

/** Details of builds that were uploaded to an earlier version of Fairlead have no `limits`. */
function readDetails(build: BuildRecord): Omit<BuildDetails, 'limits'> & Partial<Pick<BuildDetails, 'limits'>> {
  return JSON.parse(build.details) as BuildDetails
}
