import type { BuildRecord } from '../builds/build.ts'
import { findProfileDevices } from '../builds/profile-devices.ts'
import type { AppContext } from '../context.ts'
import { nameLimit } from './device.ts'
import { listDeviceRecords } from './store.ts'

/**
 * Lists the devices of a workspace in the form that Apple's page for several devices takes, and fastlane too: three
 * columns with tabs between them.
 *
 * @param missingIn a build: devices that its profile lists are left out
 * @param group a distribution group: only devices of its testers
 */
export async function exportDevices(
  { db }: Pick<AppContext, 'db'>,
  workspaceId: number,
  { missingIn, group }: { missingIn?: Pick<BuildRecord, 'id'> | undefined; group?: { id: number } | undefined },
): Promise<string> {
  const profile = missingIn && (await findProfileDevices({ db }, missingIn.id))
  const devices = await listDeviceRecords(db, workspaceId, { groupId: group?.id })
  // A device that several testers have handed around is one device.
  const rows = new Map(
    devices
      .filter(({ udid }) => profile?.has(udid) !== true)
      .map((one) => [one.udid_key, [one.udid, toName(one.name)]]),
  )
  const lines = [['Device ID', 'Device Name', 'Device Platform'], ...rows.values().map((row) => [...row, 'ios'])]
  return lines.map((line) => `${line.join('\t')}\n`).join('')
}

function toName(name: string): string {
  return name.replace(/\s+/g, ' ').slice(0, nameLimit).toWellFormed()
}
