import { Session, SignIn } from '@fairlead/contract'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { clearSessionCookie, giveSession, toClient } from './cookie.ts'
import { toSession } from './session.ts'
import { signIn } from './sign-in.ts'
import { deleteSession, deleteSessionsOf } from './store.ts'

const tags = ['Sessions']
const security = [{ session: [] }]

/** Adds the sign-in route, which needs no authentication. */
export function addSignInRoute(app: App, context: AppContext): void {
  app.post(
    '/v1/session',
    { schema: { tags, summary: 'Sign in', security: [], body: SignIn, response: { 201: Session } } },
    async (request, reply) =>
      reply.code(201).send(giveSession(reply, context.config, await signIn(context, request.body, toClient(request)))),
  )
}

/** Adds the routes that require a signed-in account. */
export function addSessionRoutes(app: App, context: AppContext): void {
  app.get(
    '/v1/session',
    { schema: { tags, security, summary: 'Get the session', response: { 200: Session } } },
    async (request) => toSession(context, request.signedIn),
  )

  app.delete(
    '/v1/session',
    { schema: { tags, security, summary: 'Sign out', response: { 204: z.undefined() } } },
    async (request, reply) => {
      await deleteSession(context.db, request.signedIn.tokenHash)
      clearSessionCookie(reply, context.config)
      return reply.code(204).send()
    },
  )

  app.delete(
    '/v1/sessions',
    { schema: { tags, security, summary: 'Sign out everywhere', response: { 204: z.undefined() } } },
    async (request, reply) => {
      await deleteSessionsOf(context.db, request.signedIn.account.id)
      clearSessionCookie(reply, context.config)
      return reply.code(204).send()
    },
  )
}
