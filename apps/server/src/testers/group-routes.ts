import { AddTesters, Page, Tester } from '@fairlead/contract'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { requireGroup } from '../distribution-groups/find.ts'
import type { App } from '../http/app.ts'
import { checkExists } from '../http/check-exists.ts'
import { sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { addTesters } from './add.ts'
import { removeFromGroup } from './remove.ts'
import { listTesterRecords } from './store.ts'
import { toTesterFor } from './tester.ts'

const params = z.object({ distributionGroupId: PathId })
const tags = ['Distribution groups']

/** Adds the routes for the testers of a distribution group. */
export function addGroupTesterRoutes(app: App, context: AppContext): void {
  const { baseUrl } = context.config
  const existing = checkExists('distributionGroupId', (workspaceId, id) => requireGroup(context, workspaceId, id))

  app.get(
    '/v1/distributionGroups/:distributionGroupId/testers',
    {
      config: { role: 'viewer' },
      onRequest: existing,
      schema: {
        tags,
        summary: 'List the testers of a group',
        errors: ['distributionGroupNotFound'],
        params,
        querystring: Page,
        response: { 200: z.array(Tester) },
      },
    },
    async (request, reply) => {
      const { distributionGroupId } = request.params
      const page = await listTesterRecords(context.db, request.caller.workspaceId, request.query, distributionGroupId)
      return sendPage(request, reply, baseUrl, page).map(toTesterFor(context, request.caller))
    },
  )

  app.post(
    '/v1/distributionGroups/:distributionGroupId/testers',
    {
      config: { role: 'admin', action: 'tester.add' },
      onRequest: existing,
      schema: {
        tags,
        summary: 'Add testers to a group, in bulk',
        operationId: 'addTestersToGroup',
        errors: ['distributionGroupNotFound'],
        params,
        body: AddTesters,
        response: { 201: z.array(Tester) },
      },
    },
    async (request, reply) => {
      const { distributionGroupId } = request.params
      const testers = await addTesters(context, request.caller.workspaceId, distributionGroupId, request.body)
      return reply.code(201).send(testers.map(toTesterFor(context, request.caller)))
    },
  )

  app.delete(
    '/v1/distributionGroups/:distributionGroupId/testers/:testerId',
    {
      config: { role: 'admin', action: 'tester.removeFromGroup' },
      schema: {
        tags,
        summary: 'Take a tester out of a group',
        operationId: 'removeTesterFromGroup',
        errors: ['distributionGroupNotFound', 'testerNotFound'],
        params: params.extend({ testerId: PathId }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const { distributionGroupId, testerId } = request.params
      await removeFromGroup(context, request.caller.workspaceId, distributionGroupId, testerId)
      return reply.code(204).send()
    },
  )
}
