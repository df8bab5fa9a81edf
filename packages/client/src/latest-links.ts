import type { CreateLatestLink, LatestLink, UpdateLatestLink } from '@fairlead/contract'
import type { CallOptions, Connection } from './connection.ts'

export function latestLinksOf({ request, send }: Connection) {
  return {
    list: (applicationId: number, options?: CallOptions) =>
      request<LatestLink[]>('GET', `/v1/applications/${applicationId}/latestLinks`, options),
    create: (applicationId: number, body: CreateLatestLink, options?: CallOptions) =>
      request<LatestLink>('POST', `/v1/applications/${applicationId}/latestLinks`, { body, ...options }),
    get: (id: number, options?: CallOptions) => request<LatestLink>('GET', `/v1/latestLinks/${id}`, options),
    update: (id: number, body: UpdateLatestLink, options?: CallOptions) =>
      request<LatestLink>('PATCH', `/v1/latestLinks/${id}`, { body, ...options }),
    /** Gives the link another address; the old one and what it gave out end. */
    renew: (id: number, options?: CallOptions) => request<LatestLink>('POST', `/v1/latestLinks/${id}/renew`, options),
    remove: (id: number, options?: CallOptions) => send('DELETE', `/v1/latestLinks/${id}`, options),
  }
}
