import type { DistributionGroup, SaveDistributionGroup, Tester } from '@fairlead/contract'
import type { CallOptions, Connection } from './connection.ts'

const path = '/v1/distributionGroups'

/** Distribution groups and their testers. */
export function groupsOf({ request, send }: Connection) {
  return {
    list: (options?: CallOptions) => request<DistributionGroup[]>('GET', path, options),
    get: (id: number, options?: CallOptions) => request<DistributionGroup>('GET', `${path}/${id}`, options),
    create: (body: SaveDistributionGroup, options?: CallOptions) =>
      request<DistributionGroup>('POST', path, { body, ...options }),
    update: (id: number, body: SaveDistributionGroup, options?: CallOptions) =>
      request<DistributionGroup>('PATCH', `${path}/${id}`, { body, ...options }),
    remove: (id: number, options?: CallOptions) => send('DELETE', `${path}/${id}`, options),
    listTesters: (id: number, options?: CallOptions) => request<Tester[]>('GET', `${path}/${id}/testers`, options),
    /** At most 1000 at once, each an address or `Name <address>`. Testers who are in the group already stay in it. */
    addTesters: (id: number, emails: string[], options?: CallOptions) =>
      request<Tester[]>('POST', `${path}/${id}/testers`, { body: { emails }, isRepeatable: true, ...options }),
    removeTester: (id: number, testerId: number, options?: CallOptions) =>
      send('DELETE', `${path}/${id}/testers/${testerId}`, options),
  }
}
