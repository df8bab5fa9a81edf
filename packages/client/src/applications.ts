import type {
  Application,
  ApplicationOverview,
  CreateApplication,
  OverviewLine,
  UpdateApplication,
} from '@fairlead/contract'
import type { CallOptions, Connection } from './connection.ts'

const path = '/v1/applications'

export function applicationsOf({ request, send }: Connection) {
  return {
    list: (options?: CallOptions) => request<Application[]>('GET', path, options),
    get: (id: number, options?: CallOptions) => request<Application>('GET', `${path}/${id}`, options),
    /** The newest build, stability, new crash groups, failing tests, missing symbols and sizes. */
    getOverview: (id: number, options?: CallOptions) =>
      request<ApplicationOverview>('GET', `${path}/${id}/overview`, options),
    /** A line of the overview of each application, in the order of their list. */
    listOverviewLines: (options?: CallOptions) => request<OverviewLine[]>('GET', '/v1/applicationOverviews', options),
    create: (body: CreateApplication, options?: CallOptions) =>
      request<Application>('POST', path, { body, ...options }),
    update: (id: number, body: UpdateApplication, options?: CallOptions) =>
      request<Application>('PATCH', `${path}/${id}`, { body, ...options }),
    /** Deletes the application with all its builds and symbols. */
    remove: (id: number, options?: CallOptions) => send('DELETE', `${path}/${id}`, options),
  }
}
