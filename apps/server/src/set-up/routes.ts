import { SetUp, SetUpDone } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { giveSession, toClient } from '../sessions/cookie.ts'
import { setUp } from './set-up.ts'

export function addSetUpRoute(app: App, context: AppContext): void {
  app.post(
    '/v1/setup',
    {
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
