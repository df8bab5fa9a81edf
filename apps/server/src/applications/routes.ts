import { Application, CreateApplication, Page, UpdateApplication } from '@fairlead/contract'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { checkExists } from '../http/check-exists.ts'
import { sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { toApplication } from './application.ts'
import { createApplication } from './create.ts'
import { listApplications, requireApplication } from './find.ts'
import { removeApplication } from './remove.ts'
import { updateApplication } from './update.ts'

const params = z.object({ applicationId: PathId })
const tags = ['Applications']

export function addApplicationRoutes(app: App, context: AppContext): void {
  const { baseUrl } = context.config
  const existing = checkExists('applicationId', (workspaceId, id) => requireApplication(context, workspaceId, id))

  app.get(
    '/v1/applications',
    {
      config: { role: 'viewer' },
      schema: { tags, summary: 'List the applications', querystring: Page, response: { 200: z.array(Application) } },
    },
    async (request, reply) => {
      const page = await listApplications(context, request.caller.workspaceId, request.query)
      return sendPage(request, reply, baseUrl, page).map((record) => toApplication(record, baseUrl))
    },
  )

  app.post(
    '/v1/applications',
    {
      config: { role: 'admin', action: 'application.create' },
      schema: {
        tags,
        summary: 'Create an application',
        errors: ['aliasTaken', 'bundleIdentifierTaken'],
        body: CreateApplication,
        response: { 201: Application },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await createApplication(context, request.caller.workspaceId, request.body)),
  )

  app.get(
    '/v1/applications/:applicationId',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        summary: 'Get an application',
        errors: ['applicationNotFound'],
        params,
        response: { 200: Application },
      },
    },
    async (request) =>
      toApplication(
        await requireApplication(context, request.caller.workspaceId, request.params.applicationId),
        baseUrl,
      ),
  )

  app.patch(
    '/v1/applications/:applicationId',
    {
      config: { role: 'admin', action: 'application.update' },
      onRequest: existing,
      schema: {
        tags,
        summary: 'Change an application',
        operationId: 'updateApplication',
        errors: ['applicationNotFound', 'aliasTaken', 'bundleIdentifierTaken', 'aliasFixed', 'identifierFixed'],
        params,
        body: UpdateApplication,
        response: { 200: Application },
      },
    },
    (request) => updateApplication(context, request.caller.workspaceId, request.params.applicationId, request.body),
  )

  app.delete(
    '/v1/applications/:applicationId',
    {
      config: { role: 'admin', action: 'application.delete' },
      schema: {
        tags,
        summary: 'Delete an application with all its builds',
        operationId: 'deleteApplication',
        errors: ['applicationNotFound'],
        params,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await removeApplication(context, request.caller.workspaceId, request.params.applicationId)
      return reply.code(204).send()
    },
  )
}
