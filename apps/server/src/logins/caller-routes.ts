import { ApiError, Caller } from '@fairlead/contract'
import { z } from 'zod'
import { revokeApiToken } from '../api-tokens/revoke.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { describeCaller } from './describe-caller.ts'

const tags = ['Logins']

/** Adds the routes by which a token asks whose it is, and ends itself. */
export function addCallerRoutes(app: App, context: AppContext): void {
  app.get(
    '/v1/caller',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        summary: 'Tell who calls: the token or account, its role and its workspace',
        operationId: 'getCaller',
        response: { 200: Caller },
      },
    },
    (request) => describeCaller(context, request.caller),
  )

  app.delete(
    '/v1/caller',
    {
      config: { role: 'viewer', action: 'apiToken.revoke' },
      schema: {
        tags,
        summary: 'Revoke the API token that calls',
        operationId: 'revokeCaller',
        errors: ['apiTokenNotFound'],
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const { apiTokenId, workspaceId } = request.caller
      if (apiTokenId === null) {
        throw new ApiError('forbidden', { detail: 'This revokes an API token; DELETE /v1/session ends a session' })
      }
      await revokeApiToken(context.db, workspaceId, apiTokenId)
      return reply.code(204).send()
    },
  )
}
