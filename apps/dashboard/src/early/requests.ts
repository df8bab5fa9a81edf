/** What the first pages ask the server for: once by their queries, and once by `start.ts` before those exist. */
import { client } from './client.ts'

/** The filters of a list of builds, as they stand in the address. */
export type BuildsSearch = {
  q?: string
  branch?: string
  version?: string
  group?: string
}

const filterNames = ['q', 'branch', 'version', 'group'] as const
/** Few enough for a slow network, and more than fit on a screen. */
const pageSize = 25

/** Reads the filters out of an address; numbers typed there are text here. */
export function readBuildsSearch(search: Record<string, unknown>): BuildsSearch {
  const given = filterNames.flatMap((name) => {
    const value = search[name]
    const text = typeof value === 'number' ? String(value) : value
    return typeof text === 'string' && text !== '' ? [[name, text] as const] : []
  })
  return Object.fromEntries(given)
}

export const sessionRequest = { key: ['session'], ask: () => client.access.getSession() }
export const applicationsRequest = { key: ['applications'], ask: () => client.applications.list() }
export const groupsRequest = { key: ['groups'], ask: () => client.groups.list() }

export function applicationRequest(id: number) {
  return { key: ['applications', id], ask: () => client.applications.get(id) }
}

export function buildRequest(id: number) {
  return { key: ['builds', id], ask: () => client.builds.get(id) }
}

/** One page of an application's builds; without a cursor the first. */
export function buildsRequest(applicationId: number, search: BuildsSearch, cursor?: string) {
  const { q, branch, version, group } = search
  return {
    key: ['applications', applicationId, 'builds', { q, branch, version, group }],
    ask: () =>
      client.builds.listPage(applicationId, {
        q,
        branch,
        shortVersion: version,
        distributionGroupName: group,
        limit: pageSize,
        cursor,
      }),
  }
}
