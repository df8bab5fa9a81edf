import { BuildFacts, ListBuildFacts } from '@fairlead/contract'
import { z } from 'zod'
import { keepApplication } from '../applications/keep-application.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { PathId } from '../http/path-id.ts'
import { listBuildFacts } from './list.ts'

export function addBuildFactRoutes(app: App, context: AppContext): void {
  app.get(
    '/v1/applications/:applicationId/buildFacts',
    {
      config: { role: 'viewer' },
      onRequest: keepApplication(context),
      schema: {
        tags: ['Builds'],
        summary: 'List verdict, crashes and change of size of builds',
        description: 'Ids that the application has no build of are left out.',
        operationId: 'listBuildFacts',
        errors: ['applicationNotFound'],
        params: z.object({ applicationId: PathId }),
        querystring: ListBuildFacts,
        response: { 200: z.array(BuildFacts) },
      },
    },
    (request) => listBuildFacts(context, request.application, request.query.ids),
  )
}
