import { ApiError, OpenSession, Page, Session, SignIn } from '@fairlead/contract'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { cutPage, sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { clearSessionCookie, giveSession, toClient } from './cookie.ts'
import { toOpenSession, toSession } from './session.ts'
import { signIn } from './sign-in.ts'
import { deleteSession, deleteSessionById, deleteSessionsOf, listSessionRows } from './store.ts'

const tags = ['Sessions']
const security = [{ session: [] }]

/** Adds the sign-in route, which needs no authentication. */
export function addSignInRoute(app: App, context: AppContext): void {
  app.post(
    '/v1/session',
    {
      config: { action: 'session.start' },
      schema: {
        tags,
        summary: 'Sign in',
        errors: [
          'wrongCredentials',
          'accountClosed',
          'accountDisabled',
          'passwordsOff',
          'twoFactorCode',
          'tooManyRequests',
        ],
        security: [],
        body: SignIn,
        response: { 201: Session },
      },
    },
    async (request, reply) => {
      const started = await signIn(context, request.body, toClient(request))
      request.auditedAccount = started.session.account
      return reply.code(201).send(giveSession(reply, context.config, started))
    },
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
    {
      config: { action: 'session.end' },
      schema: { tags, security, summary: 'Sign out', response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      await deleteSession(context.db, request.signedIn.tokenHash)
      clearSessionCookie(reply, context.config)
      return reply.code(204).send()
    },
  )

  app.get(
    '/v1/sessions',
    {
      schema: {
        tags,
        security,
        summary: 'List the sessions of the signed-in account, last used first',
        operationId: 'listSessions',
        querystring: Page,
        response: { 200: z.array(OpenSession) },
      },
    },
    async (request, reply) => {
      const { account, sessionId } = request.signedIn
      const page = cutPage(await listSessionRows(context.db, account.id), request.query, (row) => row.id)
      return sendPage(request, reply, context.config.baseUrl, page).map((row) => toOpenSession(row, sessionId))
    },
  )

  app.delete(
    '/v1/sessions/:sessionId',
    {
      config: { action: 'session.endOne' },
      schema: {
        tags,
        security,
        summary: 'End a session of the signed-in account',
        operationId: 'endSession',
        errors: ['sessionNotFound'],
        params: z.object({ sessionId: PathId }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const { account, sessionId } = request.signedIn
      const isEnded = await deleteSessionById(context.db, account.id, request.params.sessionId)
      if (!isEnded) throw new ApiError('sessionNotFound')
      if (request.params.sessionId === sessionId) clearSessionCookie(reply, context.config)
      return reply.code(204).send()
    },
  )

  app.delete(
    '/v1/sessions',
    {
      config: { action: 'session.endAll' },
      schema: { tags, security, summary: 'Sign out everywhere', response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      await deleteSessionsOf(context.db, request.signedIn.account.id)
      clearSessionCookie(reply, context.config)
      return reply.code(204).send()
    },
  )
}
