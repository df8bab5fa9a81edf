import { createHash } from 'node:crypto'
import type { AppInfo } from '@fairlead/binary'
import type { AppContext } from '../context.ts'
import { type JsonText, parseJsonText, toJsonText } from '../db/json-text.ts'
import { findProfileRow } from './store.ts'

/** The devices that the provisioning profile of a build lists. */
export interface ProfileDevices {
  has(udid: string): boolean
}

/** UDIDs are personal and there are many, so that only the beginnings of their digests are kept. */
function toDeviceDigest(udid: string): string {
  return createHash('sha256').update(udid.toLowerCase()).digest('base64url').slice(0, 16)
}

/** Returns the digests of the devices that the profile of an app lists; null for a profile that lists none. */
export function toProfileColumn({ signing }: Pick<AppInfo, 'signing'>): JsonText<string[]> | null {
  const profile = signing?.profile
  if (!profile || (profile.type !== 'development' && profile.type !== 'ad-hoc')) return null
  return toJsonText(profile.devices.map(toDeviceDigest))
}

/** Returns undefined for a build whose profile lists no devices, or which was uploaded before they were kept. */
export async function findProfileDevices(
  { db }: Pick<AppContext, 'db'>,
  buildId: number,
): Promise<ProfileDevices | undefined> {
  const row = await findProfileRow(db, buildId)
  if (!row) return undefined
  const digests = new Set(parseJsonText(row.devices))
  return { has: (udid) => digests.has(toDeviceDigest(udid)) }
}
