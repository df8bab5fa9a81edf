import type { Application, CreateApplication, UpdateApplication } from '@fairlead/contract'
import type { CallOptions, Connection } from './connection.ts'

const path = '/v1/applications'

export function applicationsOf({ request, send }: Connection) {
  return {
    list: (options?: CallOptions) => request<Application[]>('GET', path, options),
    get: (id: number, options?: CallOptions) => request<Application>('GET', `${path}/${id}`, options),
    create: (body: CreateApplication, options?: CallOptions) =>
      request<Application>('POST', path, { body, ...options }),
    update: (id: number, body: UpdateApplication, options?: CallOptions) =>
      request<Application>('PATCH', `${path}/${id}`, { body, ...options }),
    /** Deletes the application with all its builds and symbols. */
    remove: (id: number, options?: CallOptions) => send('DELETE', `${path}/${id}`, options),
  }
}
