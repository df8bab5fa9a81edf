import type { DeviceFamily } from '@fairlead/binary'
import type { Platform } from '@fairlead/contract'
import type { BuildRecord } from '../builds/build.ts'
import { obstacleWords } from '../builds/install-obstacle-words.ts'
import {
  type BuildObstacle,
  findBuildObstacles,
  type InstallDetails,
  preventsInstallation,
} from '../builds/install-obstacles.ts'
import type { Device } from './device.ts'
import { isOlder, nameSystem, toAndroidVersion, toSystemName } from './os-version.ts'
import { isDebugSigned, type OtherBuilds } from './other-builds.ts'
import type { OtherBuild } from './store.ts'
import { parseJsonText } from '../db/json-text.ts'

/** A reason why an installation fails or may fail, in the build or in the device or server. */
export type Obstacle =
  | BuildObstacle
  | { kind: 'wrongDevice'; platform: Platform }
  | { kind: 'otherFamily'; devices: string }
  | { kind: 'unreachableServer' }
  | { kind: 'insecureServer' }
  | { kind: 'systemTooOld'; needed: string; has: string }
  | { kind: 'deviceNotInProfile' }
  | { kind: 'otherSigner'; build: OtherBuild; isDebug: boolean }
  | { kind: 'higherInstalled'; build: OtherBuild }
  | { kind: 'inAppBrowser'; platform: Platform }

/** Tells whether the obstacle prevents every installation, not only on some devices. */
export function isCertain(obstacle: Obstacle): boolean {
  const { kind } = obstacle
  // The phone may be one that is not registered with the tester.
  if (kind === 'deviceNotInProfile') return false
  if (kind === 'otherSigner' || kind === 'higherInstalled' || kind === 'inAppBrowser') return false
  return isOfBuild(obstacle) ? preventsInstallation(obstacle) : true
}

function isOfBuild(obstacle: Obstacle): obstacle is BuildObstacle {
  return obstacle.kind in obstacleWords
}

export interface Situation {
  build: BuildRecord
  device: Device
  baseUrl: string
  others: OtherBuilds
  /** Whether the profile of the build lists a device of the tester; null where that is not known. */
  isInProfile: boolean | null
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
  const details = parseJsonText(build.details)
  const find = build.platform === 'ios' ? findAppleObstacles : findAndroidObstacles
  obstacles.push(...find({ ...situation, details }))
  if (device.isInApp && device.platform !== null) obstacles.push({ kind: 'inAppBrowser', platform: device.platform })
  return obstacles.sort((a, b) => Number(isCertain(b)) - Number(isCertain(a)))
}

function findAppleObstacles({
  build,
  details,
  device,
  isInProfile,
  now,
}: Situation & { details: InstallDetails }): Obstacle[] {
  const obstacles: Obstacle[] = []
  const needed = build.min_os_version
  if (device.platform === 'ios' && device.osVersion !== null && needed !== null && isOlder(device.osVersion, needed)) {
    obstacles.push({
      kind: 'systemTooOld',
      needed: nameSystem('ios', needed),
      has: nameSystem('ios', device.osVersion),
    })
  }
  const devices = details.limits && findOtherFamily(details.limits.deviceFamilies, device)
  if (devices !== undefined) obstacles.push({ kind: 'otherFamily', devices })
  const ofBuild = findBuildObstacles({ ...build, details }, now)
  if (isInProfile === null || !ofBuild.some(({ kind }) => kind === 'registeredDevicesOnly')) {
    return [...obstacles, ...ofBuild]
  }
  // What is known of the tester's devices says more than that devices have to be registered.
  const others = ofBuild.filter(({ kind }) => kind !== 'registeredDevicesOnly')
  return [...obstacles, ...others, ...(isInProfile ? [] : [{ kind: 'deviceNotInProfile' as const }])]
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

/** The first Android version that refuses the build; older ones install it. */
function findFirstRefusal(obstacle: BuildObstacle): string | undefined {
  if (obstacle.kind === 'targetTooOld') return obstacle.since
  return obstacle.kind === 'oldSignature' ? '11' : undefined
}

function findAndroidObstacles({
  build,
  details,
  device,
  others,
  now,
}: Situation & { details: InstallDetails }): Obstacle[] {
  const obstacles: Obstacle[] = []
  const osVersion = device.platform === 'android' ? device.osVersion : null
  const needed = build.min_os_version === null ? undefined : toAndroidVersion(build.min_os_version)
  if (osVersion !== null && needed !== undefined && isOlder(osVersion, needed)) {
    const system = toSystemName('android', build.min_os_version) ?? ''
    obstacles.push({ kind: 'systemTooOld', needed: system, has: nameSystem('android', osVersion) })
  }
  for (const obstacle of findBuildObstacles({ ...build, details }, now)) {
    const since = findFirstRefusal(obstacle)
    if (osVersion === null || since === undefined || !isOlder(osVersion, since)) obstacles.push(obstacle)
  }
  if (others.otherSigner) {
    const isDebug = isDebugSigned(details.signing?.certificates ?? [])
    obstacles.push({ kind: 'otherSigner', build: others.otherSigner, isDebug })
  }
  if (others.higher) obstacles.push({ kind: 'higherInstalled', build: others.higher })
  return obstacles
}
