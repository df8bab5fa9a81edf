import { Branch, Build, DistributeBuild, ListBuilds, UpdateBuild } from '@fairlead/contract'
import { z } from 'zod'
import { requireApplication } from '../applications/find.ts'
import { keepApplication } from '../applications/keep-application.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { checkExists } from '../http/check-exists.ts'
import { describeBuild } from './describe.ts'
import { sendJsonArray, toJsonAnswer } from '../http/send-json.ts'
import { announcePage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { listBranches } from './branches.ts'
import { binaryType } from './binary-type.ts'
import { distributeBuild } from './distribute.ts'
import { requireBuild } from './find.ts'
import { keepBuild } from './keep-build.ts'
import { holdBuild, holdPage, toListTopics } from './hold-answer.ts'
import { iterateBuilds, listBuilds } from './list.ts'
import { removeBuild } from './remove.ts'
import { sendBinary } from './send-binary.ts'
import { updateBuild } from './update.ts'
import { withdrawBuild } from './withdraw.ts'

/** With `redirect=true` a server that has an object store answers 302 with a short-lived URL of that store. */
const DownloadBinary = z.object({ redirect: z.enum(['true', 'false']).optional() })
const params = z.object({ buildId: PathId })
const tags = ['Builds']

export function addBuildRoutes(app: App, context: AppContext): void {
  const { baseUrl } = context.config
  const existing = checkExists('buildId', (workspaceId, id) => requireBuild(context, workspaceId, id))

  app.get(
    '/v1/applications/:applicationId/builds',
    {
      config: { role: 'viewer' },
      onRequest: keepApplication(context),
      schema: {
        tags,
        summary: 'List the builds of an application',
        operationId: 'listBuilds',
        errors: ['applicationNotFound'],
        params: z.object({ applicationId: PathId }),
        querystring: ListBuilds,
        response: { 200: z.array(Build) },
      },
    },
    async (request, reply) => {
      const { limit, ...query } = request.query
      if (limit === undefined) {
        return sendJsonArray(reply, iterateBuilds(context, request.application.id, query))
      }
      const page = await listBuilds(context, request.application, { ...query, limit })
      announcePage(request, reply, baseUrl, page)
      const { staleAt, version } = page
      const topics = toListTopics(request.application.id)
      holdPage(
        context,
        request,
        { ...query, applicationId: request.application.id, limit },
        { staleAt, version, topics },
      )
      return toJsonAnswer(reply, page.json)
    },
  )

  app.get(
    '/v1/applications/:applicationId/branches',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        summary: 'List the branches of an application',
        operationId: 'listBranches',
        errors: ['applicationNotFound'],
        params: z.object({ applicationId: PathId }),
        response: { 200: z.array(Branch) },
      },
    },
    async (request) => {
      const { id } = await requireApplication(context, request.caller.workspaceId, request.params.applicationId)
      return listBranches(context, id)
    },
  )

  app.get(
    '/v1/builds/:buildId',
    {
      config: { role: 'viewer' },
      schema: { tags, summary: 'Get a build', errors: ['buildNotFound'], params, response: { 200: Build } },
    },
    async (request, reply) => {
      const described = await describeBuild(context, request.caller.workspaceId, request.params.buildId)
      holdBuild(context, request, request.params.buildId, described)
      return toJsonAnswer(reply, described.json)
    },
  )

  app.patch(
    '/v2/builds/:buildId',
    {
      config: { role: 'developer', action: 'build.update' },
      onRequest: keepBuild(context),
      schema: {
        tags,
        summary: 'Set or clear the release notes of a build',
        operationId: 'updateBuild',
        errors: ['buildNotFound'],
        params,
        body: UpdateBuild,
        response: { 200: Build },
      },
    },
    (request) => updateBuild(context, request.build, request.body),
  )

  app.post(
    '/v1/builds/:buildId/distribute',
    {
      config: { role: 'developer', action: 'build.distribute' },
      onRequest: existing,
      schema: {
        tags,
        summary: 'Distribute a build to groups of testers',
        operationId: 'distributeBuild',
        errors: ['missingGroups', 'buildNotFound', 'buildExpired', 'unknownGroup', 'tooManyMails'],
        params,
        body: DistributeBuild,
        response: { 201: z.undefined() },
      },
    },
    async (request, reply) => {
      await distributeBuild(context, request.caller.workspaceId, request.params.buildId, request.body)
      return reply.code(201).send()
    },
  )

  app.delete(
    '/v1/builds/:buildId/distributionGroups/:distributionGroupId',
    {
      config: { role: 'developer', action: 'build.withdraw' },
      onRequest: existing,
      schema: {
        tags,
        summary: 'Take a build back from a group of testers',
        description:
          'The build leaves the pages and latest links of the group. Install links that testers already have keep ' +
          'working until the link of the build is revoked or expires.',
        operationId: 'withdrawBuild',
        errors: ['buildNotFound', 'distributionGroupNotFound'],
        params: params.extend({ distributionGroupId: PathId }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const { buildId, distributionGroupId } = request.params
      await withdrawBuild(context, request.caller.workspaceId, buildId, distributionGroupId)
      return reply.code(204).send()
    },
  )

  app.delete(
    '/v1/builds/:buildId',
    {
      config: { role: 'developer', action: 'build.delete' },
      schema: { tags, summary: 'Delete a build', errors: ['buildNotFound'], params, response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      await removeBuild(context, request.caller.workspaceId, request.params.buildId)
      return reply.code(204).send()
    },
  )

  app.route({
    // HEAD is declared explicitly, because the HEAD that Fastify derives from GET would drop Content-Length.
    method: ['GET', 'HEAD'],
    url: '/v1/builds/:buildId/binary',
    config: { role: 'viewer', sends: Object.values(binaryType) },
    schema: {
      tags,
      summary: 'Download the binary of a build',
      operationId: 'downloadBinary',
      errors: ['buildNotFound'],
      params,
      querystring: DownloadBinary,
    },
    async handler(request, reply) {
      const build = await requireBuild(context, request.caller.workspaceId, request.params.buildId)
      // A command line and a CI job install nothing; a person who downloads in the dashboard may.
      const isPerson = request.caller.accountId !== null
      const install = isPerson ? ({ kind: 'download', testerId: null } as const) : null
      // Most clients send a custom header such as X-Service-Token to the host that they are redirected to, so they ask
      // for the redirect; a browser's session cookie never leaves its host.
      const mayRedirect = request.caller.accountId !== null || request.query.redirect === 'true'
      return sendBinary(context, request, reply, build, { fileName: build.file_name, install, mayRedirect })
    },
  })
}
