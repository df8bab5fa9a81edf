import type { ChangeEvent } from '@fairlead/contract'

type Kind = ChangeEvent['kind']

/** The records that a page shows, and the query that is asked again when one of them has changed. */
export interface WatchedPage {
  /** Null for all applications. */
  applicationId: number | null
  kinds: readonly Kind[]
  /** The one thing that the page is about; null for a list. */
  id: number | null
  queryKey: readonly unknown[]
}

type Describe = (first: number, second: number) => WatchedPage

const inApplication = '^/applications/(\\d+)'

/** The pages that say when something new is there, by their path. */
const pages: readonly (readonly [path: RegExp, describe: Describe])[] = [
  [/^\/applications\/?$/, () => listOf(null, ['application', 'build'], ['applications'])],
  [
    new RegExp(`${inApplication}/?$`),
    (id) => listOf(id, ['build', 'crashGroup', 'testRun', 'symbolsFile'], ['applications', id, 'overview']),
  ],
  [new RegExp(`${inApplication}/builds/?$`), (id) => listOf(id, ['build'], ['applications', id, 'builds'])],
  [new RegExp(`${inApplication}/crashes/?$`), (id) => listOf(id, ['crashGroup'], ['applications', id, 'crashGroups'])],
  [new RegExp(`${inApplication}/tests/?$`), (id) => listOf(id, ['testRun'], ['applications', id, 'testRuns'])],
  [new RegExp(`${inApplication}/symbols/?$`), (id) => listOf(id, ['symbolsFile'], ['applications', id, 'symbols'])],
  [new RegExp(`${inApplication}/feedback/?$`), (id) => listOf(id, ['feedback'], ['applications', id, 'feedback'])],
  [/^\/builds\/(\d+)\/?$/, (id) => oneOf('build', null, id, ['builds', id])],
  [
    new RegExp(`${inApplication}/crashes/(\\d+)/?$`),
    (application, id) => oneOf('crashGroup', application, id, ['crashGroups', id]),
  ],
  [
    new RegExp(`${inApplication}/tests/runs/(\\d+)/?$`),
    (application, id) => oneOf('testRun', application, id, ['testRuns', id]),
  ],
]

function listOf(applicationId: number | null, kinds: readonly Kind[], queryKey: readonly unknown[]): WatchedPage {
  return { applicationId, kinds, id: null, queryKey }
}

function oneOf(kind: Kind, applicationId: number | null, id: number, queryKey: readonly unknown[]): WatchedPage {
  return { applicationId, kinds: [kind], id, queryKey }
}

export function findWatchedPage(pathname: string): WatchedPage | undefined {
  for (const [path, describe] of pages) {
    const [found, first, second] = path.exec(pathname) ?? []
    if (found !== undefined) return describe(Number(first), Number(second))
  }
  return undefined
}

/** Tells whether the page shows what has changed. Without ids, more has changed than the event could name. */
export function isShownOn(page: WatchedPage, { kind, applicationId, ids }: ChangeEvent): boolean {
  if (!page.kinds.includes(kind)) return false
  if (page.applicationId !== null && page.applicationId !== applicationId) return false
  return page.id === null || ids === null || ids.includes(page.id)
}
