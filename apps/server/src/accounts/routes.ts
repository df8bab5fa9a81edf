import { Account, UpdateAccount } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { updateAccount } from './update.ts'

export function addAccountRoutes(app: App, context: AppContext): void {
  app.patch(
    '/v1/account',
    {
      config: { action: 'account.update' },
      schema: {
        tags: ['Accounts'],
        security: [{ session: [] }],
        summary: 'Change the name or the password of the signed-in account',
        operationId: 'updateAccount',
        errors: ['tooManyRequests'],
        body: UpdateAccount,
        response: { 200: Account },
      },
    },
    (request) => updateAccount(context, request.signedIn, request.body, request.ip),
  )
}
