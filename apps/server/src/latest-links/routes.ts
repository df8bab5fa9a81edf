import { CreateLatestLink, LatestLink, Page, UpdateLatestLink } from '@fairlead/contract'
import { z } from 'zod'
import { keepApplication } from '../applications/keep-application.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { checkExists } from '../http/check-exists.ts'
import { cutPage, sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { requireLatestLink } from './find.ts'
import { describeLatestLink, type LatestLinkRecord } from './latest-link.ts'
import { createLatestLink, removeLatestLink, renewLatestLink, updateLatestLink } from './save.ts'
import { listLatestLinkRows } from './store.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The latest link in the path, which a hook has read. */
    latestLink: LatestLinkRecord
  }
}

const params = z.object({ latestLinkId: PathId })
const ofApplication = z.object({ applicationId: PathId })
const tags = ['Latest links']

export function addLatestLinkRoutes(app: App, context: AppContext): void {
  const keepLink = checkExists(
    'latestLinkId',
    (workspaceId, id) => requireLatestLink(context, workspaceId, id),
    (request, link) => {
      request.latestLink = link
    },
  )

  app.get(
    '/v1/applications/:applicationId/latestLinks',
    {
      config: { role: 'viewer' },
      onRequest: keepApplication(context),
      schema: {
        tags,
        summary: 'List the latest links of an application',
        operationId: 'listLatestLinks',
        errors: ['applicationNotFound'],
        params: ofApplication,
        querystring: Page,
        response: { 200: z.array(LatestLink) },
      },
    },
    async (request, reply) => {
      const rows = await listLatestLinkRows(context.db, request.application.id)
      const page = cutPage(rows, request.query, (row) => row.id)
      const links = sendPage(request, reply, context.config.baseUrl, page)
      return Promise.all(links.map((link) => describeLatestLink(context, link)))
    },
  )

  app.post(
    '/v1/applications/:applicationId/latestLinks',
    {
      config: { role: 'developer', action: 'latestLink.create' },
      onRequest: keepApplication(context),
      schema: {
        tags,
        summary: 'Create an address that always shows the newest build',
        operationId: 'createLatestLink',
        errors: ['applicationNotFound', 'unknownGroup', 'groupOfUploads', 'tooManyLatestLinks'],
        params: ofApplication,
        body: CreateLatestLink,
        response: { 201: LatestLink },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await createLatestLink(context, request.caller, request.application.id, request.body)),
  )

  app.get(
    '/v1/latestLinks/:latestLinkId',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        summary: 'Get a latest link',
        errors: ['latestLinkNotFound'],
        params,
        response: { 200: LatestLink },
      },
    },
    async (request) =>
      describeLatestLink(
        context,
        await requireLatestLink(context, request.caller.workspaceId, request.params.latestLinkId),
      ),
  )

  app.patch(
    '/v1/latestLinks/:latestLinkId',
    {
      config: { role: 'developer', action: 'latestLink.update' },
      onRequest: keepLink,
      schema: {
        tags,
        summary: 'Change, revoke, restore or protect a latest link',
        operationId: 'updateLatestLink',
        errors: ['latestLinkNotFound', 'unknownGroup', 'groupOfUploads'],
        params,
        body: UpdateLatestLink,
        response: { 200: LatestLink },
      },
    },
    (request) => updateLatestLink(context, request.latestLink, request.body),
  )

  app.post(
    '/v1/latestLinks/:latestLinkId/renew',
    {
      config: { role: 'developer', action: 'latestLink.renew' },
      schema: {
        tags,
        summary: 'Give a latest link a new address, and end the old one',
        operationId: 'renewLatestLink',
        errors: ['latestLinkNotFound'],
        params,
        response: { 200: LatestLink },
      },
    },
    (request) => renewLatestLink(context, request.caller.workspaceId, request.params.latestLinkId),
  )

  app.delete(
    '/v1/latestLinks/:latestLinkId',
    {
      config: { role: 'developer', action: 'latestLink.delete' },
      schema: {
        tags,
        summary: 'Delete a latest link',
        errors: ['latestLinkNotFound'],
        params,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await removeLatestLink(context, request.caller.workspaceId, request.params.latestLinkId)
      return reply.code(204).send()
    },
  )
}
