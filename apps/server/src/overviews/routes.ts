import { ApplicationOverview, OverviewLine, Page } from '@fairlead/contract'
import { z } from 'zod'
import { requireApplication } from '../applications/find.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { checkExists } from '../http/check-exists.ts'
import { sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { describeOverview } from './describe.ts'
import { listOverviewLines } from './list.ts'

const tags = ['Applications']

export function addOverviewRoutes(app: App, context: AppContext): void {
  app.get(
    '/v1/applications/:applicationId/overview',
    {
      config: { role: 'viewer' },
      onRequest: checkExists('applicationId', (workspaceId, id) => requireApplication(context, workspaceId, id)),
      schema: {
        tags,
        summary: 'Get the overview of an application',
        description: 'Its newest build, stability, new crash groups, missing symbols, failing tests and sizes.',
        operationId: 'getApplicationOverview',
        errors: ['applicationNotFound'],
        params: z.object({ applicationId: PathId }),
        response: { 200: ApplicationOverview },
      },
    },
    ({ params }) => describeOverview(context, params.applicationId),
  )

  app.get(
    '/v1/applicationOverviews',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        summary: 'List a line of the overview of each application',
        operationId: 'listOverviewLines',
        querystring: Page,
        response: { 200: z.array(OverviewLine) },
      },
    },
    async (request, reply) => {
      const page = await listOverviewLines(context, request.caller.workspaceId, request.query)
      return sendPage(request, reply, context.config.baseUrl, page)
    },
  )
}
