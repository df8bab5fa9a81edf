import type { Device } from '@fairlead/contract'
import type { Row } from '../db/schema.ts'
import { toInstant } from '../http/instant.ts'

/** A row of a device with its tester. */
export interface DeviceRecord extends Row<'devices'> {
  tester_email: string
  tester_name: string | null
}

/** Apple's own limit for the name of a device. */
export const nameLimit = 50

export function toDevice(record: DeviceRecord): Device {
  return {
    id: record.id,
    tester: { id: record.tester_id, email: record.tester_email, name: record.tester_name },
    udid: record.udid,
    product: record.product,
    osVersion: record.os_version,
    name: record.name,
    isAppleSigned: record.is_apple_signed === 1,
    apple: { state: record.apple_state, detail: record.apple_detail },
    createdDate: toInstant(record.created_at),
  }
}

/** UDIDs are compared without case. */
export function toUdidKey(udid: string): string {
  return udid.toLowerCase()
}

/** Names a device after its tester and model. */
export function toDeviceName(tester: { email: string; name: string | null }, product: string | null): string {
  const model = product === null ? '' : `, ${product}`
  const owner = (tester.name ?? tester.email).replace(/\s+/g, ' ').slice(0, nameLimit - model.length)
  return `${owner.toWellFormed()}${model}`
}
