/**
 * The requests of lists, for their queries and for `start.ts`, which sends the same ones before those exist. Requests
 * that consist of an id need no function here.
 */
import { type Client, RequestError } from '@fairlead/client'
import type { ListTestResults, ListTestRuns, ListTests, Session } from '@fairlead/contract'
import { type CrashGroupsSearch, toGroupQuery } from './crash-groups-search.ts'

/** The filters of a list of builds, as URL parameters. */
export type BuildsSearch = {
  q?: string
  branch?: string
  version?: string
  group?: string
  sort?: string
}

const filterNames = ['q', 'branch', 'version', 'group', 'sort'] as const
/** The orders of a list of builds. The schemas of the contract would make the scripts of the first page larger. */
const buildSorts = ['newest', 'oldest', 'largest', 'installs'] as const

/** Builds per page: few enough for a slow network, and more than fit on a screen. */
const buildsPerPage = 20
const runsPerPage = 50
/** A test has its results of 30 runs, so more of them would keep a slow network busy before the scripts arrive. */
const testsPerPage = 50
const feedbackPerPage = 30
const crashGroupsPerPage = 50

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
export async function readSession(api: Client): Promise<Session | null> {
  try {
    return await api.access.getSession()
  } catch (error) {
    if (error instanceof RequestError && error.httpStatus === 401) return null
    throw error
  }
}

/** Requests one page of an application's builds; without a cursor the first. */
export function listBuilds(api: Client, applicationId: number, search: BuildsSearch, cursor?: string) {
  const { q, branch, version, group, sort } = search
  return api.builds.listPage(applicationId, {
    q,
    ...toBranchFilter(branch),
    shortVersion: version,
    distributionGroupName: group,
    sort: buildSorts.find((one) => one === sort),
    limit: buildsPerPage,
    cursor,
  })
}

/** In the URL, an asterisk at the end of a branch stands for every branch that begins with the text before it. */
function toBranchFilter(branch: string | undefined): { branch?: string; branchPrefix?: string } {
  if (branch === undefined) return {}
  return branch.endsWith('*') ? { branchPrefix: branch.slice(0, -1) } : { branch }
}

/** Filters as pages have them: one that is not set may be there as undefined. */
type Given<Filter> = { [Name in keyof Filter]?: Filter[Name] | undefined }

export interface FeedbackSearch {
  /** Undefined for what is open. */
  status?: 'done' | 'all' | undefined
}

export function readFeedbackSearch({ status }: Record<string, unknown>): FeedbackSearch {
  return { status: status === 'done' || status === 'all' ? status : undefined }
}

/** Requests one page of the feedback to an application; without a cursor the first. */
export function listFeedback(api: Client, applicationId: number, { status }: FeedbackSearch, cursor?: string) {
  const filter = status === 'all' ? {} : { status: status ?? ('open' as const) }
  return api.feedback.listPage(applicationId, { ...filter, limit: feedbackPerPage, cursor })
}

/** Requests one page of an application's crash groups; without a cursor the first. */
export function listCrashGroups(api: Client, applicationId: number, search: CrashGroupsSearch, cursor?: string) {
  return api.crashes.listGroupsPage(applicationId, { ...toGroupQuery(search), limit: crashGroupsPerPage, cursor })
}

export function listTestRuns(
  api: Client,
  applicationId: number,
  { branch }: Given<Pick<ListTestRuns, 'branch'>>,
  cursor?: string,
) {
  return api.tests.listRuns(applicationId, { limit: runsPerPage, cursor, ...(branch !== undefined && { branch }) })
}

/** Requests one page of the tests in a state, or of all of them by suite and name unless another order is given. */
export function listTests(
  api: Client,
  applicationId: number,
  { state, q, sort = 'name' }: Given<Pick<ListTests, 'state' | 'q' | 'sort'>>,
  cursor?: string,
) {
  return api.tests.list(applicationId, {
    limit: testsPerPage,
    cursor,
    ...(state === undefined ? { sort } : { state }),
    ...(q !== undefined && { q }),
  })
}

/** Requests the newest results of a test. */
export function listResultsOfTest(api: Client, testId: number, cursor?: string) {
  return api.tests.listResultsOf(testId, { limit: 20, cursor })
}

/** Requests the cases of a run, all or those of an outcome. */
export function listResults(
  api: Client,
  runId: number,
  filter: Given<Pick<ListTestResults, 'outcome' | 'classification'>>,
  cursor?: string,
) {
  const { outcome, classification } = filter
  return api.tests.listResults(runId, {
    limit: runsPerPage,
    cursor,
    ...(outcome !== undefined && { outcome }),
    ...(classification !== undefined && { classification }),
  })
}
