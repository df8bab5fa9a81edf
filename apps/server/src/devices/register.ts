import { ApiError, type Device } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import type { JobHandler } from '../jobs/job.ts'
import { type AppleDevice, AppleError } from './apple-api.ts'
import { openAppleApiOf } from './app-store-connect.ts'
import { type DeviceRecord, toDevice } from './device.ts'
import { requireDevice } from './find.ts'
import { findDeviceRow, findKeyRow, updateDevice } from './store.ts'

/** How often Apple is asked about a device that it is processing, which may take three days, in milliseconds. */
const processingPause = 60 * 60 * 1000
const processingLimit = 4 * 24 * processingPause

/**
 * Registers a device at Apple, by a job. Whoever calls it has decided so: each takes one of a hundred places a year,
 * and Apple never gives one back.
 *
 * @throws {ApiError} deviceNotFound, noAppStoreConnect
 */
export async function registerDevice(
  context: Pick<AppContext, 'db' | 'jobs'>,
  workspaceId: number,
  device: DeviceRecord,
): Promise<Device> {
  if (!(await findKeyRow(context.db, workspaceId))) throw new ApiError('noAppStoreConnect')
  await transact(context.db, async (trx) => {
    if (!(await updateDevice(trx, device, { apple_state: 'waiting', apple_detail: null }))) {
      throw new ApiError('deviceNotFound')
    }
    const payload = { deviceId: device.id, since: Date.now() }
    await enqueueJobs(trx, [{ kind: 'register-device', key: `register-device ${device.id}`, payload }])
  })
  context.jobs.wake()
  return toDevice(await requireDevice(context, workspaceId, device.id))
}

/** Creates the handler of the job. A device that Apple is processing is looked up again each hour. */
export function createDeviceRegistrar(context: Pick<AppContext, 'db' | 'config'>): JobHandler<'register-device'> {
  const { db } = context
  return {
    async run({ deviceId, since }, signal) {
      const device = await findDeviceRow(db, deviceId)
      if (!device || (device.apple_state !== 'waiting' && device.apple_state !== 'processing')) return undefined
      const apple = await openAppleApiOf(context, device.workspace_id, signal)
      if (!apple) {
        await updateDevice(db, device, { apple_state: 'refused', apple_detail: 'The key was deleted' })
        return undefined
      }
      try {
        const isNew = device.apple_state === 'waiting'
        const registered = isNew ? await apple.register(device) : undefined
        // 409 means that Apple has it already, maybe in another spelling.
        const state = toState(registered ?? (await apple.find(device.udid)))
        await updateDevice(db, device, state)
        const isProcessing = state.apple_state === 'processing' && Date.now() < since + processingLimit
        return isProcessing ? Date.now() + processingPause : undefined
      } catch (error) {
        if (!(error instanceof AppleError) || error.isPassing) throw error
        await updateDevice(db, device, { apple_state: 'refused', apple_detail: error.message })
        return undefined
      }
    },
    async fail({ deviceId }, error, isLast) {
      const device = await findDeviceRow(db, deviceId)
      if (!device) return
      const apple_detail = error instanceof Error ? error.message.slice(0, 300) : null
      await updateDevice(db, device, { apple_detail, ...(isLast && { apple_state: 'refused' as const }) })
    },
  }
}

function toState(device: AppleDevice | undefined) {
  if (!device) return { apple_state: 'refused' as const, apple_detail: 'Apple refused the device and has none like it' }
  if (device.status === 'PROCESSING') return { apple_state: 'processing' as const, apple_detail: null }
  if (device.status === 'ENABLED') return { apple_state: 'registered' as const, apple_detail: null }
  return { apple_state: 'refused' as const, apple_detail: `Apple has this device as ${device.status}` }
}
