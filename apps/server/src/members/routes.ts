import { ApiError, Member, Page, UpdateMember } from '@fairlead/contract'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { checkExists } from '../http/check-exists.ts'
import { cutPage, sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { toMember } from './member.ts'
import { findMember, listMembers } from './store.ts'
import { removeMember, updateMember } from './update.ts'

const params = z.object({ accountId: PathId })
const tags = ['Members']

export function addMemberRoutes(app: App, context: AppContext): void {
  app.get(
    '/v1/members',
    {
      config: { role: 'viewer' },
      schema: { tags, summary: 'List the members', querystring: Page, response: { 200: z.array(Member) } },
    },
    async (request, reply) => {
      const records = await listMembers(context.db, request.caller.workspaceId)
      const page = cutPage(records, request.query, (record) => record.account_id)
      return sendPage(request, reply, context.config.baseUrl, page).map(toMember)
    },
  )

  app.patch(
    '/v1/members/:accountId',
    {
      config: { role: 'admin', action: 'member.update' },
      onRequest: checkExists('accountId', async (workspaceId, accountId) => {
        if (!(await findMember(context.db, workspaceId, accountId))) throw new ApiError('memberNotFound')
      }),
      schema: {
        tags,
        summary: 'Change the role of a member',
        operationId: 'updateMember',
        errors: ['memberNotFound', 'lastAdmin', 'roleOfGroup'],
        params,
        body: UpdateMember,
        response: { 200: Member },
      },
    },
    (request) => updateMember(context, request.caller.workspaceId, request.params.accountId, request.body),
  )

  app.delete(
    '/v1/members/:accountId',
    {
      config: { role: 'admin', action: 'member.remove' },
      schema: {
        tags,
        summary: 'Remove a member from the workspace',
        operationId: 'removeMember',
        errors: ['memberNotFound', 'lastAdmin'],
        params,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await removeMember(context, request.caller.workspaceId, request.params.accountId)
      return reply.code(204).send()
    },
  )
}
