import { ApiError, type Device } from '@fairlead/contract'
import { recordByTester } from '../audit/record.ts'
import type { AppContext } from '../context.ts'
import { type DeviceRecord, toDevice } from './device.ts'
import { deleteDevice, updateDevice } from './store.ts'

/** @throws {ApiError} deviceNotFound */
export async function renameDevice(
  { db }: Pick<AppContext, 'db'>,
  device: DeviceRecord,
  name: string,
): Promise<Device> {
  if (!(await updateDevice(db, device, { name }))) throw new ApiError('deviceNotFound')
  return toDevice({ ...device, name })
}

/** @throws {ApiError} deviceNotFound */
export async function removeDevice({ db }: Pick<AppContext, 'db'>, workspaceId: number, id: number): Promise<void> {
  if (!(await deleteDevice(db, workspaceId, id))) throw new ApiError('deviceNotFound')
}

/**
 * Deletes a device on the page of its tester. Deleting it again changes nothing.
 *
 * @param address where the request came from, for the audit log
 */
export async function removeOwnDevice(
  context: Pick<AppContext, 'db' | 'log'>,
  tester: { id: number; workspace_id: number; email: string },
  id: number,
  address: string,
): Promise<void> {
  if (!(await deleteDevice(context.db, tester.workspace_id, id, tester.id))) return
  const who = { workspaceId: tester.workspace_id, email: tester.email }
  await recordByTester(context, who, { action: 'device.delete', address, target: '/testers' })
}
