import type { TestFailureExplanation } from '@fairlead/contract'
import { queryOptions, skipToken } from '@tanstack/react-query'
import { client } from '../api/client.ts'

export const crashExplanationQuery = (groupId: number) =>
  queryOptions({ queryKey: ['crashGroups', groupId, 'explanation'], queryFn: () => client.crashes.explain(groupId) })

export const failureExplanationQuery = (failureId: number) =>
  queryOptions({
    queryKey: ['testFailures', failureId, 'explanation'],
    queryFn: () => client.tests.explainFailure(failureId),
  })

/** Requests the commits between the build in which a test last passed and the one in which it first failed. */
export const commitsOfFailureQuery = (explanation: TestFailureExplanation | undefined) => {
  const builds = explanation && toBuilds(explanation)
  return queryOptions({
    queryKey: ['builds', builds?.buildId, 'commitsSince', builds?.baseBuildId],
    queryFn: builds ? async () => (await client.builds.compare(builds.buildId, builds.baseBuildId)).commits : skipToken,
  })
}

/** The builds of both runs; undefined unless both are known and differ. */
function toBuilds({ range: { lastPassed, firstFailed } }: TestFailureExplanation) {
  const [baseBuildId, buildId] = [lastPassed?.buildId ?? null, firstFailed?.buildId ?? null]
  return baseBuildId === null || buildId === null || baseBuildId >= buildId ? undefined : { baseBuildId, buildId }
}
