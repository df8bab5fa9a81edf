/** The requests of the first pages, for their queries and for `start.ts`, which sends them before those exist. */
import { RequestError } from '@fairlead/client'
import type { Session } from '@fairlead/contract'
import { client } from './client.ts'

/** The filters of a list of builds, as URL parameters. */
export type BuildsSearch = {
  q?: string
  branch?: string
  version?: string
  group?: string
}

const filterNames = ['q', 'branch', 'version', 'group'] as const
/** Builds per page: few enough for a slow network, and more than fit on a screen. */
const pageSize = 20

/** Reads the filters from URL parameters. The router parses numbers, which become text again. */
export function readBuildsSearch(search: Record<string, unknown>): BuildsSearch {
  const given = filterNames.flatMap((name) => {
    const value = search[name]
    const text = typeof value === 'number' ? String(value) : value
    return typeof text === 'string' && text !== '' ? [[name, text] as const] : []
  })
  return Object.fromEntries(given)
}

/** Requests the session; null when nobody is signed in. */
export const sessionRequest = {
  key: ['session'],
  ask: async (): Promise<Session | null> => {
    try {
      return await client.access.getSession()
    } catch (error) {
      if (error instanceof RequestError && error.httpStatus === 401) return null
      throw error
    }
  },
}

export const applicationsRequest = { key: ['applications'], ask: () => client.applications.list() }
export const groupsRequest = { key: ['groups'], ask: () => client.groups.list() }

export function applicationRequest(id: number) {
  return { key: ['applications', id], ask: () => client.applications.get(id) }
}

export function buildRequest(id: number) {
  return { key: ['builds', id], ask: () => client.builds.get(id) }
}

/** Requests one page of an application's builds; without a cursor the first. */
export function buildsRequest(applicationId: number, search: BuildsSearch, cursor?: string) {
  const { q, branch, version, group } = search
  return {
    key: ['applications', applicationId, 'builds', { q, branch, version, group }],
    ask: () =>
      client.builds.listPage(applicationId, {
        q,
        ...toBranchFilter(branch),
        shortVersion: version,
        distributionGroupName: group,
        limit: pageSize,
        cursor,
      }),
  }
}

/** In the URL, an asterisk at the end of a branch stands for every branch that begins with the text before it. */
function toBranchFilter(branch: string | undefined): { branch?: string; branchPrefix?: string } {
  if (branch === undefined) return {}
  return branch.endsWith('*') ? { branchPrefix: branch.slice(0, -1) } : { branch }
}
