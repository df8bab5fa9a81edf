import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

export const crashExplanationQuery = (groupId: number) =>
  queryOptions({ queryKey: ['crashGroups', groupId, 'explanation'], queryFn: () => client.crashes.explain(groupId) })

export const failureExplanationQuery = (failureId: number) =>
  queryOptions({
    queryKey: ['testFailures', failureId, 'explanation'],
    queryFn: () => client.tests.explainFailure(failureId),
  })
