import type {
  AppStoreConnect,
  Device,
  DeviceOfBuild,
  ExportDevices,
  SaveAppStoreConnect,
  UpdateDevice,
} from '@fairlead/contract'
import type { CallOptions, Connection } from './connection.ts'

export function devicesOf({ request, send, open }: Connection) {
  return {
    list: (options?: CallOptions) => request<Device[]>('GET', '/v1/devices', options),
    listOfTester: (testerId: number, options?: CallOptions) =>
      request<Device[]>('GET', `/v1/testers/${testerId}/devices`, options),
    listOfBuild: (buildId: number, options?: CallOptions) =>
      request<DeviceOfBuild[]>('GET', `/v1/builds/${buildId}/devices`, options),
    update: (id: number, body: UpdateDevice, options?: CallOptions) =>
      request<Device>('PATCH', `/v1/devices/${id}`, { body, ...options }),
    remove: (id: number, options?: CallOptions) => send('DELETE', `/v1/devices/${id}`, options),
    /** Takes one of the places that Apple gives for a year. */
    register: (id: number, options?: CallOptions) => request<Device>('POST', `/v1/devices/${id}/register`, options),
    /** The list that Apple's page for several devices takes, with tabs between its columns. */
    export: async (query: ExportDevices = {}, options?: CallOptions) =>
      (await open('GET', '/v1/devices/export', { query, ...options })).text(),
    getAppStoreConnect: (options?: CallOptions) => request<AppStoreConnect>('GET', '/v1/appStoreConnect', options),
    saveAppStoreConnect: (body: SaveAppStoreConnect, options?: CallOptions) =>
      request<AppStoreConnect>('PUT', '/v1/appStoreConnect', { body, ...options }),
    removeAppStoreConnect: (options?: CallOptions) => send('DELETE', '/v1/appStoreConnect', options),
  }
}
