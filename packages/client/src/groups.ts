import type { DistributionGroup, SaveDistributionGroup, Tester } from '@fairlead/contract'
import type { Connection } from './connection.ts'

const path = '/v1/distributionGroups'

/** Distribution groups and who is in them. */
export function groupsOf({ request, send }: Connection) {
  return {
    list: () => request<DistributionGroup[]>('GET', path),
    get: (id: number) => request<DistributionGroup>('GET', `${path}/${id}`),
    create: (body: SaveDistributionGroup) => request<DistributionGroup>('POST', path, { body }),
    update: (id: number, body: SaveDistributionGroup) => request<DistributionGroup>('PATCH', `${path}/${id}`, { body }),
    remove: (id: number) => send('DELETE', `${path}/${id}`),
    listTesters: (id: number) => request<Tester[]>('GET', `${path}/${id}/testers`),
    /** At most 1000 at once, each an address or `Name <address>`. */
    addTesters: (id: number, emails: string[]) =>
      request<Tester[]>('POST', `${path}/${id}/testers`, { body: { emails } }),
    removeTester: (id: number, testerId: number) => send('DELETE', `${path}/${id}/testers/${testerId}`),
  }
}
