import type { FeedbackStatus } from '@fairlead/contract'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

export interface FeedbackSearch {
  /** Undefined for what is open. */
  status?: 'done' | 'all' | undefined
}

export function readFeedbackSearch({ status }: Record<string, unknown>): FeedbackSearch {
  return { status: status === 'done' || status === 'all' ? status : undefined }
}

/** Loads the feedback to an application, page by page. */
export const feedbackQuery = (applicationId: number, { status }: FeedbackSearch) =>
  infiniteQueryOptions({
    queryKey: ['applications', applicationId, 'feedback', status ?? 'open'],
    queryFn: ({ pageParam }) =>
      client.feedback.listPage(applicationId, { ...toFilter(status), limit: 30, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

function toFilter(status: FeedbackSearch['status']): { status?: FeedbackStatus } {
  return status === 'all' ? {} : { status: status ?? 'open' }
}

/** Loads the feedback to a build. */
export const buildFeedbackQuery = (buildId: number) =>
  queryOptions({ queryKey: ['builds', buildId, 'feedback'], queryFn: () => client.feedback.listOfBuild(buildId) })
