import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { listResults, listResultsOfTest, listTestRuns, listTests } from '../early/requests.ts'
import type { ResultFilter, RunsSearch, TestsSearch } from './search.ts'

/** The interval at which a run that is still open is requested again, in milliseconds. */
const liveMs = 3000

export const testRunsQuery = (applicationId: number, { branch }: RunsSearch) =>
  infiniteQueryOptions({
    queryKey: ['applications', applicationId, 'testRuns', { branch }],
    queryFn: ({ pageParam }) => listTestRuns(client, applicationId, { branch }, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.items.some((run) => run.state === 'open') === true ? liveMs : false,
  })

export const testRunQuery = (id: number) =>
  queryOptions({
    queryKey: ['testRuns', id],
    queryFn: () => client.tests.getRun(id),
    refetchInterval: ({ state }) => (state.data?.state === 'open' ? liveMs : false),
  })

/** Returns the interval for queries about a run, which are repeated only while it is open. */
const toInterval = (isOpen: boolean) => (isOpen ? liveMs : (false as const))

/** Keeps what a run had while it was open until the answer about the complete run is there. */
function ofRun(runId: number) {
  return <Data>(data: Data | undefined, query: { queryKey: readonly unknown[] } | undefined) =>
    query?.queryKey[1] === runId ? data : undefined
}

export const verdictQuery = (runId: number, isOpen: boolean) =>
  queryOptions({
    queryKey: ['testRuns', runId, 'verdict', { isOpen }],
    queryFn: () => client.tests.getVerdict(runId),
    placeholderData: ofRun(runId),
    refetchInterval: toInterval(isOpen),
  })

export const groupsOfRunQuery = (runId: number, isOpen: boolean) =>
  queryOptions({
    queryKey: ['testRuns', runId, 'failureGroups', { isOpen }],
    queryFn: () => client.tests.listGroupsOfRun(runId),
    placeholderData: ofRun(runId),
    refetchInterval: toInterval(isOpen),
  })

export const resultsQuery = (runId: number, isOpen: boolean, { outcome, classification }: ResultFilter) =>
  infiniteQueryOptions({
    queryKey: ['testRuns', runId, 'results', { isOpen, outcome, classification }],
    queryFn: ({ pageParam }) => listResults(client, runId, { outcome, classification }, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: toInterval(isOpen),
  })

export const comparisonQuery = (runId: number, baseRunId: number) =>
  queryOptions({
    queryKey: ['testRuns', runId, 'comparison', baseRunId],
    queryFn: () => client.tests.compare(runId, baseRunId),
  })

export const testsQuery = (applicationId: number, { state, q, sort }: TestsSearch) =>
  infiniteQueryOptions({
    queryKey: ['applications', applicationId, 'tests', { state, q, sort }],
    queryFn: ({ pageParam }) => listTests(client, applicationId, { state, q, sort }, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

export const testQuery = (id: number) => queryOptions({ queryKey: ['tests', id], queryFn: () => client.tests.get(id) })

export const resultsOfTestQuery = (id: number) =>
  infiniteQueryOptions({
    queryKey: ['tests', id, 'results'],
    queryFn: ({ pageParam }) => listResultsOfTest(client, id, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

export const failureQuery = (id: number) =>
  queryOptions({ queryKey: ['testFailures', id], queryFn: () => client.tests.getFailure(id) })

export const attachmentsQuery = (runId: number, testId: number) =>
  queryOptions({
    queryKey: ['testRuns', runId, 'attachments', testId],
    queryFn: () => client.tests.listAttachments(runId, testId),
  })

export const timelineQuery = (failureId: number) =>
  queryOptions({
    queryKey: ['testFailures', failureId, 'timeline'],
    queryFn: () => client.tests.getTimeline(failureId),
  })
