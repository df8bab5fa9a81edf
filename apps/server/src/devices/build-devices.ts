import type { DeviceOfBuild } from '@fairlead/contract'
import type { BuildRecord } from '../builds/build.ts'
import { findProfileDevices } from '../builds/profile-devices.ts'
import type { AppContext } from '../context.ts'
import { listDeviceRecords, listTestersOfBuild } from './store.ts'

/** Says of each device of the workspace whether the profile of a build lists it. */
export async function listDevicesOfBuild(
  { db }: Pick<AppContext, 'db'>,
  build: Pick<BuildRecord, 'id' | 'workspace_id'>,
): Promise<DeviceOfBuild[]> {
  const profile = await findProfileDevices({ db }, build.id)
  const distributed = await listTestersOfBuild(db, build.id)
  const devices = await listDeviceRecords(db, build.workspace_id)
  return devices.map(({ id, tester_id: testerId, udid }) => ({
    deviceId: id,
    testerId,
    udid,
    isInProfile: profile?.has(udid) ?? null,
    isDistributed: distributed.has(testerId),
  }))
}

/**
 * Tells whether the profile of a build lists a device of a tester; null where the profile lists none, or the tester has
 * told of no device.
 */
export async function isInProfile(
  { db }: Pick<AppContext, 'db'>,
  build: Pick<BuildRecord, 'id' | 'workspace_id'>,
  tester: { id: number },
): Promise<boolean | null> {
  const devices = await listDeviceRecords(db, build.workspace_id, { testerId: tester.id })
  const profile = devices.length === 0 ? undefined : await findProfileDevices({ db }, build.id)
  return profile ? devices.some(({ udid }) => profile.has(udid)) : null
}
