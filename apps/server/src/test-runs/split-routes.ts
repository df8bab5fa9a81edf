import { CreateTestSplit, TestDuration, TestSplit } from '@fairlead/contract'
import { z } from 'zod'
import { requireApplication } from '../applications/find.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { checkExists } from '../http/check-exists.ts'
import { PathId } from '../http/path-id.ts'
import { createSplit, listTestDurations } from '../test-history/split.ts'

const params = z.object({ applicationId: PathId })
const tags = ['Tests']

/** Adds the routes for dealing test files to shards by their durations. */
export function addTestSplitRoutes(app: App, context: AppContext): void {
  const { db } = context
  const onRequest = checkExists('applicationId', (workspaceId, id) => requireApplication(context, workspaceId, id))

  app.get(
    '/v1/applications/:applicationId/testDurations',
    {
      config: { role: 'viewer' },
      onRequest,
      schema: {
        tags,
        summary: 'List how long the tests of each file, class and suite take',
        description: 'The medians of the last ten complete runs, longest first, and 10,000 of them at most.',
        operationId: 'listTestDurations',
        params,
        response: { 200: z.array(TestDuration) },
      },
    },
    (request) => listTestDurations(db, request.params.applicationId),
  )

  app.post(
    '/v1/applications/:applicationId/testSplits',
    {
      config: { role: 'developer', action: 'testSplit.create' },
      onRequest,
      schema: {
        tags,
        summary: 'Get the durations by which the shards of a run deal their test files',
        description:
          'The first request of a key decides: every other one gets the same durations, for seven days or until 200 ' +
          'more keys were asked for, so that no test is left out because another run completes meanwhile.',
        operationId: 'createTestSplit',
        params,
        body: CreateTestSplit,
        response: { 200: TestSplit },
      },
    },
    ({ caller, params: { applicationId }, body }) =>
      createSplit(db, { workspaceId: caller.workspaceId, applicationId }, body.key),
  )
}
