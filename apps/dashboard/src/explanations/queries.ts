import { queryOptions, skipToken } from '@tanstack/react-query'
import { client } from '../api/client.ts'

export const crashExplanationQuery = (groupId: number) =>
  queryOptions({ queryKey: ['crashGroups', groupId, 'explanation'], queryFn: () => client.crashes.explain(groupId) })

export const failureExplanationQuery = (failureId: number) =>
  queryOptions({
    queryKey: ['testFailures', failureId, 'explanation'],
    queryFn: () => client.tests.explainFailure(failureId),
  })

export const commitsBetweenQuery = (builds: { buildId: number; baseBuildId: number } | undefined) =>
  queryOptions({
    queryKey: ['builds', builds?.buildId, 'commitsSince', builds?.baseBuildId],
    queryFn: builds ? async () => (await client.builds.compare(builds.buildId, builds.baseBuildId)).commits : skipToken,
  })
