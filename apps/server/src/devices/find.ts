import { ApiError } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { DeviceRecord } from './device.ts'
import { findDeviceRecord, listDeviceRecords } from './store.ts'

/** @throws {ApiError} deviceNotFound */
export async function requireDevice(
  { db }: Pick<AppContext, 'db'>,
  workspaceId: number,
  id: number,
): Promise<DeviceRecord> {
  const device = await findDeviceRecord(db, workspaceId, id)
  if (!device) throw new ApiError('deviceNotFound')
  return device
}

/** Lists the devices of a tester, newest first. */
export async function listDevicesOf(
  { db }: Pick<AppContext, 'db'>,
  tester: { id: number; workspace_id: number },
): Promise<DeviceRecord[]> {
  return listDeviceRecords(db, tester.workspace_id, { testerId: tester.id })
}
