import { queryOptions } from '@tanstack/react-query'
import { RequestError } from '@fairlead/client'
import { client } from '../api/client.ts'

export interface DevicesSearch {
  /** The distribution group whose testers' devices are shown. */
  group?: number | undefined
  /** The build whose profile the devices are compared with. */
  missingIn?: number | undefined
}

export function readDevicesSearch({ group, missingIn }: Record<string, unknown>): DevicesSearch {
  return { group: toId(group), missingIn: toId(missingIn) }
}

function toId(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
}

export const devicesQuery = queryOptions({ queryKey: ['devices'], queryFn: () => client.devices.list() })

/** Says of each device whether the profile of a build lists it. */
export const buildDevicesQuery = (buildId: number) =>
  queryOptions({ queryKey: ['builds', buildId, 'devices'], queryFn: () => client.devices.listOfBuild(buildId) })

/** The key of App Store Connect; null if none is set. */
export const appStoreConnectQuery = queryOptions({
  queryKey: ['appStoreConnect'],
  queryFn: async () => {
    try {
      return await client.devices.getAppStoreConnect()
    } catch (error) {
      if (error instanceof RequestError && error.httpStatus === 404) return null
      throw error
    }
  },
})
