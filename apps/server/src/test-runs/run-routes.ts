import {
  AttachmentOfResult,
  CompareRuns,
  FailureGroupOfRun,
  ListTestResults,
  ListTestRuns,
  TestComparison,
  TestResult,
  TestRun,
  Verdict,
  VerdictQuery,
} from '@fairlead/contract'
import { z } from 'zod'
import { requireApplication } from '../applications/find.ts'
import { requireBuild } from '../builds/find.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { checkExists } from '../http/check-exists.ts'
import { sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { compareRuns } from '../test-verdicts/compare.ts'
import { completeRun } from '../test-verdicts/complete.ts'
import { describeBuildVerdict, describeRunVerdict } from '../test-verdicts/describe-verdict.ts'
import { listGroupsOfRun } from '../test-failures/groups-of-run.ts'
import { listAttachmentsOfResults } from '../test-results/result-attachments.ts'
import { listResults, requireSameApplication } from '../test-results/result-store.ts'
import { toTestRun } from '../test-results/run.ts'
import { listRunRows, requireRunOfWorkspace } from '../test-results/run-store.ts'

const params = z.object({ testRunId: PathId })
const tags = ['Test runs']

export function addTestRunRoutes(app: App, context: AppContext): void {
  const { db } = context
  const { baseUrl } = context.config
  const existing = checkExists('testRunId', (workspaceId, id) => requireRunOfWorkspace(db, workspaceId, id))

  app.get(
    '/v1/applications/:applicationId/testRuns',
    {
      config: { role: 'viewer' },
      onRequest: checkExists('applicationId', (workspaceId, id) => requireApplication(context, workspaceId, id)),
      schema: {
        tags,
        summary: 'List the test runs of an application',
        operationId: 'listTestRuns',
        errors: ['applicationNotFound'],
        params: z.object({ applicationId: PathId }),
        querystring: ListTestRuns,
        response: { 200: z.array(TestRun) },
      },
    },
    async (request, reply) => {
      const page = await listRunRows(db, request.params.applicationId, request.query)
      return sendPage(request, reply, baseUrl, page).map(toTestRun)
    },
  )

  app.get(
    '/v1/testRuns/:testRunId',
    {
      config: { role: 'viewer' },
      schema: { tags, summary: 'Get a test run', errors: ['testRunNotFound'], params, response: { 200: TestRun } },
    },
    async (request) => toTestRun(await requireRunOfWorkspace(db, request.caller.workspaceId, request.params.testRunId)),
  )

  app.post(
    '/v1/testRuns/:testRunId/complete',
    {
      config: { role: 'developer', action: 'testRun.complete' },
      onRequest: existing,
      schema: {
        tags,
        summary: 'Complete a test run and judge it',
        operationId: 'completeTestRun',
        errors: ['testRunNotFound'],
        params,
        response: { 200: TestRun },
      },
    },
    async (request) => {
      const { workspaceId } = request.caller
      const run = await requireRunOfWorkspace(db, workspaceId, request.params.testRunId)
      if (run.state === 'open') await completeRun(context, run.id)
      return toTestRun(await requireRunOfWorkspace(db, workspaceId, run.id))
    },
  )

  app.get(
    '/v1/testRuns/:testRunId/results',
    {
      config: { role: 'viewer' },
      onRequest: existing,
      schema: {
        tags,
        summary: 'List the results of a test run',
        errors: ['testRunNotFound'],
        params,
        querystring: ListTestResults,
        response: { 200: z.array(TestResult) },
      },
    },
    async (request, reply) =>
      sendPage(request, reply, baseUrl, await listResults(db, request.params.testRunId, request.query)),
  )

  app.get(
    '/v1/testRuns/:testRunId/results/:testId/attachments',
    {
      config: { role: 'viewer' },
      onRequest: existing,
      schema: {
        tags,
        summary: 'List the attachments of a test in a run',
        description: 'Those of passed cases as well, by environment, case and attempt.',
        operationId: 'listAttachmentsOfResults',
        errors: ['testRunNotFound'],
        params: z.object({ testRunId: PathId, testId: PathId }),
        response: { 200: z.array(AttachmentOfResult) },
      },
    },
    ({ params: { testRunId, testId } }) => listAttachmentsOfResults(db, testRunId, testId),
  )

  app.get(
    '/v1/testRuns/:testRunId/verdict',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        summary: 'Get the verdict of a test run, or of one report in it',
        errors: ['testRunNotFound'],
        params,
        querystring: VerdictQuery,
        response: { 200: Verdict },
      },
    },
    async (request) =>
      describeRunVerdict(
        db,
        await requireRunOfWorkspace(db, request.caller.workspaceId, request.params.testRunId),
        request.query.reportId,
      ),
  )

  app.get(
    '/v1/testRuns/:testRunId/failureGroups',
    {
      config: { role: 'viewer' },
      onRequest: existing,
      schema: {
        tags,
        summary: 'List the groups of the failures of a test run',
        params,
        response: { 200: z.array(FailureGroupOfRun) },
      },
    },
    (request) => listGroupsOfRun(db, request.params.testRunId),
  )

  app.get(
    '/v1/testRuns/:testRunId/comparison',
    {
      config: { role: 'viewer' },
      onRequest: existing,
      schema: {
        tags,
        summary: 'Compare a test run with an older one',
        operationId: 'compareTestRuns',
        errors: ['testRunNotFound'],
        params,
        querystring: CompareRuns,
        response: { 200: TestComparison },
      },
    },
    async (request) => {
      const { workspaceId } = request.caller
      const run = await requireRunOfWorkspace(db, workspaceId, request.params.testRunId)
      const base = await requireRunOfWorkspace(db, workspaceId, request.query.to)
      requireSameApplication(run, base)
      return compareRuns(db, run.id, base.id)
    },
  )

  app.get(
    '/v1/builds/:buildId/verdict',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        summary: 'Get what the test runs of a build say about it',
        operationId: 'getVerdictOfBuild',
        errors: ['buildNotFound'],
        params: z.object({ buildId: PathId }),
        response: { 200: Verdict },
      },
    },
    async (request) =>
      describeBuildVerdict(db, await requireBuild(context, request.caller.workspaceId, request.params.buildId)),
  )
}
