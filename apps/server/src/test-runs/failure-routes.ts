import { CrashGroup, CrashTestFailure, Page, TestFailure, TestFailureGroup, TestTimeline } from '@fairlead/contract'
import { z } from 'zod'
import { requireApplication } from '../applications/find.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { checkExists } from '../http/check-exists.ts'
import { createHangUpSignal } from '../http/hang-up-signal.ts'
import { sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { listCrashGroupsOfFailure, listFailuresOfCrashGroup } from '../test-failures/crash-links.ts'
import { describeFailure } from '../test-failures/failure.ts'
import { listFailureGroups } from '../test-failures/failure-groups.ts'
import { sendAttachment } from '../test-results/send-attachment.ts'
import { describeTimeline } from '../test-failures/timeline.ts'

const tags = ['Tests']

export function addTestFailureRoutes(app: App, context: AppContext): void {
  app.get(
    '/v1/testFailures/:testFailureId',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        summary: 'Get a failure with its texts, attachments and resolved crashes',
        operationId: 'getTestFailure',
        errors: ['testFailureNotFound'],
        params: z.object({ testFailureId: PathId }),
        response: { 200: TestFailure },
      },
    },
    (request, reply) => {
      const signal = createHangUpSignal(reply)
      return describeFailure(context, request.caller.workspaceId, request.params.testFailureId, signal)
    },
  )

  app.get(
    '/v1/testFailures/:testFailureId/crashGroups',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        summary: 'List the crash groups of a failure',
        description: 'Those with the exception and the frame of the failure.',
        params: z.object({ testFailureId: PathId }),
        response: { 200: z.array(CrashGroup) },
      },
    },
    ({ caller, params }) => listCrashGroupsOfFailure(context, caller.workspaceId, params.testFailureId),
  )

  app.get(
    '/v1/crashGroups/:crashGroupId/testFailures',
    {
      config: { role: 'viewer' },
      schema: {
        tags: ['Crashes'],
        summary: 'List the test failures of a crash group',
        description: 'The newest failures of tests with the exception and the frame of the group.',
        params: z.object({ crashGroupId: PathId }),
        response: { 200: z.array(CrashTestFailure) },
      },
    },
    ({ caller, params }) => listFailuresOfCrashGroup(context, caller.workspaceId, params.crashGroupId),
  )

  app.get(
    '/v1/testFailures/:testFailureId/timeline',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        summary: 'Get the timeline of a failure',
        description: 'Logs, requests and messages in one order.',
        errors: ['testFailureNotFound'],
        params: z.object({ testFailureId: PathId }),
        response: { 200: TestTimeline },
      },
    },
    ({ caller, params }, reply) =>
      describeTimeline(context, caller.workspaceId, params.testFailureId, createHangUpSignal(reply)),
  )

  app.route({
    method: ['GET', 'HEAD'],
    url: '/v1/testAttachments/:testAttachmentId',
    config: {
      role: 'viewer',
      sends: ['image/png', 'image/jpeg', 'video/mp4', 'text/plain', 'application/octet-stream'],
    },
    schema: {
      tags,
      summary: 'Download an attachment',
      operationId: 'downloadTestAttachment',
      errors: ['testAttachmentNotFound'],
      params: z.object({ testAttachmentId: PathId }),
    },
    handler: (request, reply) => sendAttachment(context, request, reply, request.params.testAttachmentId),
  })

  app.get(
    '/v1/applications/:applicationId/failureGroups',
    {
      config: { role: 'viewer' },
      onRequest: checkExists('applicationId', (workspaceId, id) => requireApplication(context, workspaceId, id)),
      schema: {
        tags,
        summary: 'List the groups of failures of an application',
        operationId: 'listTestFailureGroups',
        errors: ['applicationNotFound'],
        params: z.object({ applicationId: PathId }),
        querystring: Page,
        response: { 200: z.array(TestFailureGroup) },
      },
    },
    async (request, reply) => {
      const page = await listFailureGroups(context.db, request.params.applicationId, request.query)
      return sendPage(request, reply, context.config.baseUrl, page)
    },
  )
}
