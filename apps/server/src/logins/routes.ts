import {
  ApproveLogin,
  FindLogin,
  LoginProgress,
  LoginRequest,
  PollLogin,
  StartedLogin,
  StartLogin,
} from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { toLoggedPath } from '../http/errors.ts'
import { toClient } from '../sessions/cookie.ts'
import { approveLogin, findLogin, refuseLogin } from './decide.ts'
import { pollLogin } from './poll.ts'
import { startLogin } from './start.ts'

const tags = ['Logins']
const security = [{ session: [] }]

/** Adds the routes of the command line, which has no token yet. */
export function addLoginRoutes(app: App, context: AppContext): void {
  app.post(
    '/v1/loginRequests',
    {
      config: { action: null },
      schema: {
        tags,
        summary: 'Begin a login that a person approves in a browser; only this answer contains its codes',
        operationId: 'startLogin',
        errors: ['tooManyRequests'],
        security: [],
        body: StartLogin,
        response: { 201: StartedLogin },
      },
    },
    async (request, reply) => reply.code(201).send(await startLogin(context, request.body, toClient(request))),
  )

  app.post(
    '/v1/loginRequests/poll',
    {
      // The token is recorded in the workspace that the person chose, by the person.
      config: { action: null },
      schema: {
        tags,
        summary: 'Ask what became of a login; the first answer after the approval contains the API token',
        operationId: 'pollLogin',
        errors: ['loginRequestNotFound'],
        security: [],
        body: PollLogin,
        response: { 200: LoginProgress },
      },
    },
    (request) =>
      pollLogin(context, request.body.deviceCode, { address: request.ip, target: toLoggedPath(request.url) }),
  )
}

/** Adds the routes of the person who approves or refuses. */
export function addLoginDecisionRoutes(app: App, context: AppContext): void {
  app.post(
    '/v1/loginRequests/find',
    {
      config: { action: null },
      schema: {
        tags,
        security,
        summary: 'Find a login that waits, by the code that the command line shows',
        operationId: 'findLogin',
        errors: ['loginRequestNotFound', 'tooManyRequests'],
        body: FindLogin,
        response: { 200: LoginRequest },
      },
    },
    (request) => findLogin(context, request.signedIn, request.body.userCode),
  )

  app.post(
    '/v1/loginRequests/approve',
    {
      config: { action: 'loginRequest.approve' },
      schema: {
        tags,
        security,
        summary: 'Approve a login, for a workspace and a role that is not wider than your own',
        operationId: 'approveLogin',
        errors: ['loginRequestNotFound', 'twoFactorRequired', 'providerRequired', 'tooManyRequests'],
        body: ApproveLogin,
        response: { 200: LoginRequest },
      },
    },
    async (request) => {
      const approved = await approveLogin(context, request.signedIn, request.body)
      request.auditedWorkspaceId = request.body.workspaceId
      return approved
    },
  )

  app.post(
    '/v1/loginRequests/refuse',
    {
      config: { action: 'loginRequest.refuse' },
      schema: {
        tags,
        security,
        summary: 'Refuse a login',
        operationId: 'refuseLogin',
        errors: ['loginRequestNotFound', 'tooManyRequests'],
        body: FindLogin,
        response: { 200: LoginRequest },
      },
    },
    (request) => refuseLogin(context, request.signedIn, request.body.userCode),
  )
}
