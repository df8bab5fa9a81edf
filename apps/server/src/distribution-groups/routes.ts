import { DistributionGroup, Page, SaveDistributionGroup } from '@fairlead/contract'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { checkExists } from '../http/check-exists.ts'
import { sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { toDistributionGroup } from './distribution-group.ts'
import { requireGroup } from './find.ts'
import { createGroup, removeGroup, renameGroup } from './save.ts'
import { listGroupRecords } from './store.ts'

const params = z.object({ distributionGroupId: PathId })
const tags = ['Distribution groups']

export function addDistributionGroupRoutes(app: App, context: AppContext): void {
  const { baseUrl } = context.config
  const existing = checkExists('distributionGroupId', (workspaceId, id) => requireGroup(context, workspaceId, id))

  app.get(
    '/v1/distributionGroups',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        summary: 'List the groups',
        operationId: 'listDistributionGroups',
        querystring: Page,
        response: { 200: z.array(DistributionGroup) },
      },
    },
    async (request, reply) => {
      const page = await listGroupRecords(context.db, request.caller.workspaceId, request.query)
      return sendPage(request, reply, baseUrl, page).map(toDistributionGroup)
    },
  )

  app.post(
    '/v1/distributionGroups',
    {
      config: { role: 'admin', action: 'distributionGroup.create' },
      schema: {
        tags,
        summary: 'Create a group',
        operationId: 'createDistributionGroup',
        errors: ['groupNameTaken'],
        body: SaveDistributionGroup,
        response: { 201: DistributionGroup },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await createGroup(context, request.caller.workspaceId, request.body)),
  )

  app.get(
    '/v1/distributionGroups/:distributionGroupId',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        summary: 'Get a group',
        operationId: 'getDistributionGroup',
        errors: ['distributionGroupNotFound'],
        params,
        response: { 200: DistributionGroup },
      },
    },
    async (request) =>
      toDistributionGroup(await requireGroup(context, request.caller.workspaceId, request.params.distributionGroupId)),
  )

  app.patch(
    '/v1/distributionGroups/:distributionGroupId',
    {
      config: { role: 'admin', action: 'distributionGroup.update' },
      onRequest: existing,
      schema: {
        tags,
        summary: 'Rename a group',
        operationId: 'renameDistributionGroup',
        errors: ['distributionGroupNotFound', 'groupNameTaken'],
        params,
        body: SaveDistributionGroup,
        response: { 200: DistributionGroup },
      },
    },
    (request) => renameGroup(context, request.caller.workspaceId, request.params.distributionGroupId, request.body),
  )

  app.delete(
    '/v1/distributionGroups/:distributionGroupId',
    {
      config: { role: 'admin', action: 'distributionGroup.delete' },
      schema: {
        tags,
        summary: 'Delete a group',
        operationId: 'deleteDistributionGroup',
        errors: ['distributionGroupNotFound'],
        params,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await removeGroup(context, request.caller.workspaceId, request.params.distributionGroupId)
      return reply.code(204).send()
    },
  )
}
