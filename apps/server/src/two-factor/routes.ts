import {
  ConfirmTwoFactor,
  ProveIdentity,
  RecoveryCodes,
  StartTwoFactor,
  TwoFactor,
  TwoFactorSecret,
} from '@fairlead/contract'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { confirmTwoFactor, disableTwoFactor, readTwoFactor, renewRecoveryCodes, startTwoFactor } from './set-up.ts'

const tags = ['Two-factor sign-in']
const security = [{ session: [] }]

/** Adds the routes for the second factor of the signed-in account. */
export function addTwoFactorRoutes(app: App, context: AppContext): void {
  app.get(
    '/v1/twoFactor',
    {
      schema: {
        tags,
        security,
        summary: 'Get the state of two-factor sign-in',
        operationId: 'getTwoFactor',
        response: { 200: TwoFactor },
      },
    },
    (request) => readTwoFactor(context, request.signedIn.account),
  )

  app.post(
    '/v1/twoFactor',
    {
      config: { action: null },
      schema: {
        tags,
        security,
        summary: 'Create a secret for an authenticator app',
        operationId: 'startTwoFactor',
        errors: ['twoFactorEnabled', 'tooManyRequests'],
        body: StartTwoFactor,
        response: { 201: TwoFactorSecret },
      },
    },
    async (request, reply) => {
      const { account } = request.signedIn
      return reply.code(201).send(await startTwoFactor(context, account, request.body.password, request.ip))
    },
  )

  app.post(
    '/v1/twoFactor/confirm',
    {
      config: { action: 'twoFactor.enable' },
      schema: {
        tags,
        security,
        summary: 'Turn two-factor sign-in on with a first code; only this answer contains the recovery codes',
        operationId: 'confirmTwoFactor',
        errors: ['twoFactorEnabled', 'twoFactorCode'],
        body: ConfirmTwoFactor,
        response: { 200: RecoveryCodes },
      },
    },
    (request) => confirmTwoFactor(context, request.signedIn.account, request.body.code),
  )

  app.post(
    '/v1/twoFactor/recoveryCodes',
    {
      config: { action: 'twoFactor.renewCodes' },
      schema: {
        tags,
        security,
        summary: 'Replace the recovery codes',
        errors: ['twoFactorCode', 'tooManyRequests'],
        body: ProveIdentity,
        response: { 200: RecoveryCodes },
      },
    },
    (request) => renewRecoveryCodes(context, request.signedIn.account, request.body, request.ip),
  )

  app.delete(
    '/v1/twoFactor',
    {
      config: { action: 'twoFactor.disable' },
      schema: {
        tags,
        security,
        summary: 'Turn two-factor sign-in off',
        operationId: 'removeTwoFactor',
        errors: ['twoFactorCode', 'tooManyRequests'],
        body: ProveIdentity,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await disableTwoFactor(context, request.signedIn.account, request.body, request.ip)
      return reply.code(204).send()
    },
  )
}
