import { SetUp, SetUpDone, SetUpState } from '@fairlead/contract'
import { hasAnyAccount } from '../accounts/find.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { giveSession, toClient } from '../sessions/cookie.ts'
import { hasWorkspace } from '../workspaces/find.ts'
import { setUp } from './set-up.ts'

export function addSetUpRoutes(app: App, context: AppContext): void {
  app.get(
    '/v1/setup',
    {
      schema: {
        tags: ['Accounts'],
        summary: 'Tell whether the server is set up',
        operationId: 'getSetUp',
        errors: ['tooManyRequests'],
        security: [],
        response: { 200: SetUpState },
      },
    },
    async () => ({ isDone: await hasWorkspace(context.db), hasAccount: await hasAnyAccount(context) }),
  )

  app.post(
    '/v1/setup',
    {
      config: { action: null },
      schema: {
        tags: ['Accounts'],
        summary: 'Create the first account, its workspace and an API token with the one-time set-up link',
        operationId: 'setUp',
        errors: ['setUpCodeNotFound', 'alreadySetUp'],
        security: [],
        body: SetUp,
        response: { 201: SetUpDone },
      },
    },
    async (request, reply) => {
      const { started, apiToken } = await setUp(context, request.body, toClient(request))
      return reply.code(201).send({ session: giveSession(reply, context.config, started), apiToken })
    },
  )
}
