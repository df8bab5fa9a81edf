import {
  Crash,
  CrashComment,
  CrashesQuery,
  CrashGroup,
  CrashGroupStatistics,
  CrashSummary,
  CrashThread,
  CreateCrashComment,
  DeleteCrashGroupQuery,
  MergeCrashGroups,
  Page,
  SplitCrashGroup,
  UpdateCrashGroup,
} from '@fairlead/contract'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { checkExists } from '../http/check-exists.ts'
import { cutPage, sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { addCrashComment, listCrashComments } from './comments.ts'
import { listGroupCrashes } from '../crash-groups/crash-store.ts'
import { toCrashSummary } from '../crash-groups/crash.ts'
import { findExportFormat, sendExport } from './export-list.ts'
import { toInstallIds } from '../crash-groups/group-filter.ts'
import { removeCrashGroup } from '../crash-groups/remove-group.ts'
import { listCrashThreads } from './threads.ts'
import { describeGroup, requireCrash, requireCrashGroup } from '../crash-groups/find.ts'
import { requireGroupRow } from '../crash-groups/groups-store.ts'
import { mergeGroups, splitGroup } from '../crash-groups/merge-groups.ts'
import { toReportText } from './report-text.ts'
import { updateCrashGroup } from '../crash-groups/update-group.ts'

const tags = ['Crashes']
const auditedTitleLimit = 300
const ofGroup = z.object({ crashGroupId: PathId })
const ofCrash = z.object({ crashId: PathId })

/** Adds the routes about one crash group and about one crash. */
export function addCrashGroupRoutes(app: App, context: AppContext): void {
  addGroupRoutes(app, context)
  addSingleCrashRoutes(app, context)
}

function addGroupRoutes(app: App, context: AppContext): void {
  const { baseUrl } = context.config
  const onRequest = checkExists('crashGroupId', (workspaceId, id) => requireGroupRow(context.db, workspaceId, id))
  const params = ofGroup

  /** Keeps the title of a group for the audit log, where the answer does not hold it. */
  async function nameInAudit(request: FastifyRequest<{ Params: z.infer<typeof ofGroup> }>): Promise<void> {
    const { caller, params } = request
    const group = await requireGroupRow(context.db, caller.workspaceId, params.crashGroupId)
    request.auditedDetails = { applicationId: group.application_id, title: group.title.slice(0, auditedTitleLimit) }
  }

  app.get(
    '/v1/crashGroups/:crashGroupId',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        summary: 'Get a crash group; one whose crashes moved redirects',
        operationId: 'getCrashGroup',
        errors: ['crashGroupNotFound'],
        params,
        response: { 200: CrashGroup, 301: z.undefined() },
      },
    },
    async (request, reply) => {
      const { caller, params } = request
      const row = await requireGroupRow(context.db, caller.workspaceId, params.crashGroupId)
      if (row.redirect_id !== null) return reply.redirect(`${baseUrl}/v1/crashGroups/${row.redirect_id}`, 301)
      return requireCrashGroup(context, caller.workspaceId, row.id)
    },
  )

  app.patch(
    '/v1/crashGroups/:crashGroupId',
    {
      config: { role: 'developer', action: 'crashGroup.update' },
      onRequest,
      schema: {
        tags,
        summary: 'Change a crash group',
        operationId: 'updateCrashGroup',
        errors: ['crashGroupNotFound'],
        params,
        body: UpdateCrashGroup,
        response: { 200: CrashGroup },
      },
    },
    ({ caller, params, body }) => updateCrashGroup(context, caller.workspaceId, params.crashGroupId, body),
  )

  app.delete(
    '/v1/crashGroups/:crashGroupId',
    {
      config: { role: 'developer', action: 'crashGroup.delete' },
      onRequest,
      schema: {
        tags,
        summary: 'Delete a crash group with its crashes, and discard what comes later if you ask for it',
        operationId: 'deleteCrashGroup',
        errors: ['crashGroupNotFound'],
        params,
        querystring: DeleteCrashGroupQuery,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const { caller, params, query } = request
      await nameInAudit(request)
      await removeCrashGroup(context, caller.workspaceId, params.crashGroupId, query.discard === true)
      return reply.code(204).send()
    },
  )

  app.get(
    '/v1/crashGroups/:crashGroupId/comments',
    {
      config: { role: 'viewer' },
      onRequest,
      schema: {
        tags,
        summary: 'List the comments on a crash group',
        errors: ['crashGroupNotFound'],
        params,
        querystring: Page.strict(),
        response: { 200: z.array(CrashComment) },
      },
    },
    async (request, reply) => {
      const comments = await listCrashComments(context, request.params.crashGroupId)
      return sendPage(
        request,
        reply,
        baseUrl,
        cutPage(comments, request.query, ({ id }) => id),
      )
    },
  )

  app.post(
    '/v1/crashGroups/:crashGroupId/comments',
    {
      config: { role: 'developer', action: 'crashGroup.comment' },
      onRequest,
      schema: {
        tags,
        summary: 'Comment on a crash group',
        operationId: 'addCrashComment',
        errors: ['crashGroupNotFound'],
        params,
        body: CreateCrashComment,
        response: { 201: CrashComment },
      },
    },
    async (request, reply) => {
      const { caller, params, body } = request
      await nameInAudit(request)
      return reply.code(201).send(await addCrashComment(context, caller, params.crashGroupId, body.text))
    },
  )

  app.get(
    '/v1/crashGroups/:crashGroupId/crashes',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        summary: 'List the crashes of a group',
        errors: ['crashGroupNotFound'],
        params,
        querystring: CrashesQuery,
        response: { 200: z.array(CrashSummary) },
      },
    },
    async (request, reply) => {
      const group = await requireGroupRow(context.db, request.caller.workspaceId, request.params.crashGroupId)
      const { installId, ...query } = request.query
      const filter = { ...query, installIds: toInstallIds(context, group.application_id, installId) }
      const format = findExportFormat(request)
      if (format !== undefined) {
        sendExport(reply, format, `crashes-of-group-${group.id}`, async (page) => {
          const rows = await listGroupCrashes(context.db, group, { ...filter, ...page })
          return { ...rows, items: rows.items.map(toCrashSummary) }
        })
        return reply
      }
      const page = await listGroupCrashes(context.db, group, filter)
      return sendPage(request, reply, baseUrl, page).map(toCrashSummary)
    },
  )

  app.get(
    '/v1/crashGroups/:crashGroupId/statistics',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        summary: 'Count the crashes of a group by day, release, system and device',
        operationId: 'getCrashGroupStatistics',
        errors: ['crashGroupNotFound'],
        params,
        // They are of all environments: a filter that does nothing would be taken for one that does.
        querystring: z.strictObject({}),
        response: { 200: CrashGroupStatistics },
      },
    },
    async ({ caller, params }) =>
      describeGroup(context, await requireGroupRow(context.db, caller.workspaceId, params.crashGroupId)),
  )

  app.post(
    '/v1/crashGroups/:crashGroupId/merge',
    {
      config: { role: 'developer', action: 'crashGroup.merge' },
      onRequest,
      schema: {
        tags,
        summary: 'Merge groups into this one',
        operationId: 'mergeCrashGroups',
        errors: ['crashGroupNotFound'],
        params,
        body: MergeCrashGroups,
        response: { 200: CrashGroup },
      },
    },
    ({ caller, params, body }) => mergeGroups(context, caller.workspaceId, params.crashGroupId, body.groupIds),
  )

  app.post(
    '/v1/crashGroups/:crashGroupId/split',
    {
      config: { role: 'developer', action: 'crashGroup.split' },
      onRequest,
      schema: {
        tags,
        summary: 'Move stacks into a new group',
        operationId: 'splitCrashGroup',
        errors: ['crashGroupNotFound'],
        params,
        body: SplitCrashGroup,
        response: { 200: CrashGroup },
      },
    },
    ({ caller, params, body }) => splitGroup(context, caller.workspaceId, params.crashGroupId, body.stackIds),
  )
}

function addSingleCrashRoutes(app: App, context: AppContext): void {
  const config = { role: 'viewer' } as const
  const params = ofCrash

  app.get(
    '/v1/crashes/:crashId',
    { config, schema: { tags, summary: 'Get a crash', errors: ['crashNotFound'], params, response: { 200: Crash } } },
    ({ caller, params }) => requireCrash(context, caller.workspaceId, params.crashId),
  )

  app.get(
    '/v1/crashes/:crashId/threads',
    {
      config,
      schema: {
        tags,
        summary: 'List the threads of a crash, the crashed one first',
        operationId: 'listCrashThreads',
        errors: ['crashNotFound'],
        params,
        response: { 200: z.array(CrashThread) },
      },
    },
    ({ caller, params }) => listCrashThreads(context, caller.workspaceId, params.crashId),
  )

  app.get(
    '/v1/crashes/:crashId/report',
    {
      config,
      schema: {
        tags,
        summary: 'Get a crash as text',
        operationId: 'getCrashReport',
        errors: ['crashNotFound'],
        params,
        text: 'text/plain',
      },
    },
    async ({ caller, params }, reply) => {
      const crash = await requireCrash(context, caller.workspaceId, params.crashId)
      return reply.type('text/plain; charset=utf-8').serializer(String).send(toReportText(crash))
    },
  )
}
