import {
  CreateQuarantine,
  ListTests,
  OrderedPage,
  Page,
  Quarantine,
  ResultOfTest,
  Test,
  UpdateTest,
} from '@fairlead/contract'
import { z } from 'zod'
import { requireApplication } from '../applications/find.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { checkExists } from '../http/check-exists.ts'
import { sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { createQuarantine, listQuarantines, removeQuarantine } from '../test-history/quarantine.ts'
import { listResultsOfTest } from '../test-results/result-store.ts'
import { describeTests, listTests, requireTestRow } from '../test-history/test-store.ts'
import { updateTest } from '../test-history/update-test.ts'

const ofApplication = z.object({ applicationId: PathId })
const ofTest = z.object({ testId: PathId })
const tags = ['Tests']

export function addTestRoutes(app: App, context: AppContext): void {
  const { db } = context
  const { baseUrl } = context.config
  const application = checkExists('applicationId', (workspaceId, id) => requireApplication(context, workspaceId, id))
  const existing = checkExists('testId', (workspaceId, id) => requireTestRow(db, workspaceId, id))

  app.get(
    '/v1/applications/:applicationId/tests',
    {
      config: { role: 'viewer' },
      onRequest: application,
      schema: {
        tags,
        summary: 'List the tests of an application by state',
        operationId: 'listTests',
        errors: ['applicationNotFound'],
        params: ofApplication,
        querystring: ListTests,
        response: { 200: z.array(Test) },
      },
    },
    async (request, reply) =>
      sendPage(request, reply, baseUrl, await listTests(db, request.params.applicationId, request.query)),
  )

  app.get(
    '/v1/tests/:testId',
    {
      config: { role: 'viewer' },
      schema: { tags, summary: 'Get a test', errors: ['testNotFound'], params: ofTest, response: { 200: Test } },
    },
    async (request) => {
      const row = await requireTestRow(db, request.caller.workspaceId, request.params.testId)
      const [test] = await describeTests(db, [row])
      return test!
    },
  )

  app.patch(
    '/v1/tests/:testId',
    {
      config: { role: 'developer', action: 'test.update' },
      onRequest: existing,
      schema: {
        tags,
        summary: 'Set the owner of a test, or merge it into the one it was renamed to',
        operationId: 'updateTest',
        errors: ['testNotFound'],
        params: ofTest,
        body: UpdateTest,
        response: { 200: Test },
      },
    },
    (request) => updateTest(db, request.caller.workspaceId, request.params.testId, request.body),
  )

  app.get(
    '/v1/tests/:testId/results',
    {
      config: { role: 'viewer' },
      onRequest: existing,
      schema: {
        tags,
        summary: 'List the results of a test',
        errors: ['testNotFound'],
        params: ofTest,
        querystring: OrderedPage,
        response: { 200: z.array(ResultOfTest) },
      },
    },
    async (request, reply) =>
      sendPage(request, reply, baseUrl, await listResultsOfTest(db, request.params.testId, request.query)),
  )

  app.get(
    '/v1/applications/:applicationId/quarantine',
    {
      config: { role: 'viewer' },
      onRequest: application,
      schema: {
        tags,
        summary: 'List the quarantines',
        errors: ['applicationNotFound'],
        params: ofApplication,
        querystring: Page,
        response: { 200: z.array(Quarantine) },
      },
    },
    async (request, reply) =>
      sendPage(request, reply, baseUrl, await listQuarantines(db, request.params.applicationId, request.query)),
  )

  app.post(
    '/v1/applications/:applicationId/quarantine',
    {
      config: { role: 'developer', action: 'quarantine.create' },
      onRequest: application,
      schema: {
        tags,
        summary: 'Quarantine a test',
        errors: ['applicationNotFound', 'missingReason', 'invalidQuarantineEnd', 'unknownTest'],
        params: ofApplication,
        body: CreateQuarantine,
        response: { 201: Quarantine },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await createQuarantine(db, request.caller, request.params.applicationId, request.body)),
  )

  app.delete(
    '/v1/applications/:applicationId/quarantine/:quarantineId',
    {
      config: { role: 'developer', action: 'quarantine.delete' },
      onRequest: application,
      schema: {
        tags,
        summary: 'End a quarantine',
        errors: ['quarantineNotFound'],
        params: z.object({ applicationId: PathId, quarantineId: PathId }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await removeQuarantine(db, request.params.applicationId, request.params.quarantineId)
      return reply.code(204).send()
    },
  )
}
