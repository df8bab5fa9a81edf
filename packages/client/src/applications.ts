import type { Application, CreateApplication, UpdateApplication } from '@fairlead/contract'
import type { Connection } from './connection.ts'

export function applicationsOf({ request, send }: Connection) {
  return {
    list: () => request<Application[]>('GET', '/v1/applications'),
    get: (id: number) => request<Application>('GET', `/v1/applications/${id}`),
    create: (body: CreateApplication) => request<Application>('POST', '/v1/applications', { body }),
    update: (id: number, body: UpdateApplication) => request<Application>('PATCH', `/v1/applications/${id}`, { body }),
    /** Deletes the application with all its builds and symbols. */
    remove: (id: number) => send('DELETE', `/v1/applications/${id}`),
  }
}
