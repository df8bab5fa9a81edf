import { Page, Tester } from '@fairlead/contract'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { removeTester } from './remove.ts'
import { listTesterRecords } from './store.ts'
import { renewTesterLink } from './renew-link.ts'
import { toTesterFor } from './tester.ts'

const params = z.object({ testerId: PathId })
const tags = ['Testers']

export function addTesterRoutes(app: App, context: AppContext): void {
  app.get(
    '/v1/testers',
    {
      config: { role: 'viewer' },
      schema: { tags, summary: 'List the testers', querystring: Page, response: { 200: z.array(Tester) } },
    },
    async (request, reply) => {
      const page = await listTesterRecords(context.db, request.caller.workspaceId, request.query)
      return sendPage(request, reply, context.config.baseUrl, page).map(toTesterFor(context, request.caller))
    },
  )

  app.post(
    '/v1/testers/:testerId/renewLink',
    {
      config: { role: 'developer', action: 'tester.renewLink' },
      schema: {
        tags,
        summary: 'Give the page of a tester another address',
        description: 'The old address ends, and install links in older mails are no longer personal.',
        operationId: 'renewTesterLink',
        errors: ['testerNotFound'],
        params,
        response: { 200: Tester },
      },
    },
    async ({ caller, params: { testerId } }) =>
      toTesterFor(context, caller)(await renewTesterLink(context, caller.workspaceId, testerId)),
  )

  app.delete(
    '/v1/testers/:testerId',
    {
      config: { role: 'admin', action: 'tester.delete' },
      schema: {
        tags,
        summary: 'Delete a tester',
        errors: ['testerNotFound'],
        params,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await removeTester(context, request.caller.workspaceId, request.params.testerId)
      return reply.code(204).send()
    },
  )
}
