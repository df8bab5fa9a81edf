import { RedeemPasswordReset, RequestPasswordReset } from '@fairlead/contract'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { redeemPasswordReset } from './redeem.ts'
import { requestPasswordReset } from './request.ts'

const tags = ['Accounts']

export function addPasswordResetRoutes(app: App, context: AppContext): void {
  app.post(
    '/v1/passwordResets',
    {
      config: { action: null },
      schema: {
        tags,
        summary: 'Request a password-reset mail; the answer does not reveal whether the account exists',
        operationId: 'requestPasswordReset',
        errors: ['tooManyRequests'],
        security: [],
        body: RequestPasswordReset,
        response: { 202: z.undefined() },
      },
    },
    async (request, reply) => {
      await requestPasswordReset(context, request.body.email, request.ip)
      return reply.code(202).send()
    },
  )

  app.post(
    '/v1/passwordResets/redeem',
    {
      config: { action: 'account.resetPassword' },
      schema: {
        tags,
        summary: 'Set a new password with a reset link',
        operationId: 'redeemPasswordReset',
        errors: ['passwordResetNotFound'],
        security: [],
        body: RedeemPasswordReset,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      request.auditedAccount = await redeemPasswordReset(context, request.body)
      return reply.code(204).send()
    },
  )
}
