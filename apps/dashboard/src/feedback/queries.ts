import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { type FeedbackSearch, listFeedback } from '../early/requests.ts'

/** Loads the feedback to an application, page by page. */
export const feedbackQuery = (applicationId: number, search: FeedbackSearch) =>
  infiniteQueryOptions({
    queryKey: ['applications', applicationId, 'feedback', search.status ?? 'open'],
    queryFn: ({ pageParam }) => listFeedback(client, applicationId, search, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

/** Loads the feedback to a build. */
export const buildFeedbackQuery = (buildId: number) =>
  queryOptions({ queryKey: ['builds', buildId, 'feedback'], queryFn: () => client.feedback.listOfBuild(buildId) })

/** Loads the build of feedback. The page of a build has the same data under this key. */
export const feedbackBuildQuery = (id: number) =>
  queryOptions({ queryKey: ['builds', id], queryFn: () => client.builds.get(id) })
