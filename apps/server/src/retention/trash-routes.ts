import { Build, Page, TrashedBuild } from '@fairlead/contract'
import { z } from 'zod'
import { keepApplication } from '../applications/keep-application.ts'
import { listTrash, pinBuild } from '../builds/trash.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { emptyTrash } from './empty-trash.ts'
import { restoreBuild } from './undo.ts'

const ofApplication = z.object({ applicationId: PathId })
const ofBuild = z.object({ buildId: PathId })
const tags = ['Retention']

export function addTrashRoutes(app: App, context: AppContext): void {
  app.get(
    '/v1/applications/:applicationId/trash',
    {
      config: { role: 'viewer' },
      onRequest: keepApplication(context),
      schema: {
        tags,
        summary: 'List the builds in the trash of an application',
        operationId: 'listTrash',
        errors: ['applicationNotFound'],
        params: ofApplication,
        querystring: Page,
        response: { 200: z.array(TrashedBuild) },
      },
    },
    async (request, reply) => {
      const page = await listTrash(context, request.application.id, request.query)
      return sendPage(request, reply, context.config.baseUrl, page)
    },
  )

  app.post(
    '/v1/applications/:applicationId/trash/empty',
    {
      config: { role: 'admin', action: 'retention.emptyTrash' },
      onRequest: keepApplication(context),
      schema: {
        tags,
        summary: 'Delete the builds in the trash of an application for good',
        operationId: 'emptyTrash',
        errors: ['applicationNotFound'],
        params: ofApplication,
        response: { 202: z.undefined() },
      },
    },
    async (request, reply) => {
      await emptyTrash(context, request.application.id)
      return reply.code(202).send()
    },
  )

  app.post(
    '/v1/builds/:buildId/restore',
    {
      config: { role: 'developer', action: 'build.restore' },
      schema: {
        tags,
        summary: 'Take a build out of the trash',
        operationId: 'restoreBuild',
        errors: ['buildNotFound'],
        params: ofBuild,
        response: { 200: Build },
      },
    },
    (request) => restoreBuild(context, request.caller.workspaceId, request.params.buildId),
  )

  for (const [method, action, summary, operationId] of [
    ['PUT', 'build.pin', 'Keep a build from every retention rule', 'pinBuild'],
    ['DELETE', 'build.unpin', 'Let retention rules remove a build again', 'unpinBuild'],
  ] as const) {
    app.route({
      method,
      url: '/v1/builds/:buildId/pin',
      config: { role: 'developer', action },
      schema: {
        tags,
        summary,
        operationId,
        errors: ['buildNotFound'],
        params: ofBuild,
        response: { 204: z.undefined() },
      },
      async handler(request, reply) {
        await pinBuild(context, request.caller.workspaceId, request.params.buildId, method === 'PUT')
        return reply.code(204).send()
      },
    })
  }
}
