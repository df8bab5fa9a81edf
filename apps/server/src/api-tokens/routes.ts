import { ApiToken, CreateApiToken, CreatedApiToken, Page } from '@fairlead/contract'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { cutPage, sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { toApiToken } from './api-token.ts'
import { createApiToken } from './create.ts'
import { revokeApiToken } from './revoke.ts'
import { listApiTokens } from './store.ts'

const tags = ['API tokens']

export function addApiTokenRoutes(app: App, context: AppContext): void {
  app.get(
    '/v1/apiTokens',
    {
      config: { role: 'admin' },
      schema: {
        tags,
        summary: 'List the API tokens',
        operationId: 'listApiTokens',
        querystring: Page,
        response: { 200: z.array(ApiToken) },
      },
    },
    async (request, reply) => {
      const rows = await listApiTokens(context.db, request.caller.workspaceId)
      const page = cutPage(rows, request.query, (row) => row.id)
      return sendPage(request, reply, context.config.baseUrl, page).map(toApiToken)
    },
  )

  app.post(
    '/v1/apiTokens',
    {
      config: { role: 'admin', action: 'apiToken.create' },
      schema: {
        tags,
        summary: 'Create an API token; only this answer contains it',
        operationId: 'createApiToken',
        body: CreateApiToken,
        response: { 201: CreatedApiToken },
      },
    },
    async (request, reply) => {
      const { workspaceId, name, accountId } = request.caller
      const made = { createdBy: name, accountId }
      return reply.code(201).send(await createApiToken(context, workspaceId, request.body, made))
    },
  )

  app.delete(
    '/v1/apiTokens/:apiTokenId',
    {
      config: { role: 'admin', action: 'apiToken.revoke' },
      schema: {
        tags,
        summary: 'Revoke an API token',
        operationId: 'revokeApiToken',
        errors: ['apiTokenNotFound'],
        params: z.object({ apiTokenId: PathId }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await revokeApiToken(context.db, request.caller.workspaceId, request.params.apiTokenId)
      return reply.code(204).send()
    },
  )
}
