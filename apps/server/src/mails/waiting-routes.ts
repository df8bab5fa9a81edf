import { MailDelivery } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { discardHeldMails, readDelivery, sendHeldMails } from './waiting.ts'

const tags = ['Mails']

/** Adds the routes for mails that wait because no mail server was set when they were written. */
export function addWaitingMailRoutes(app: App, context: AppContext): void {
  app.get(
    '/v1/mailDelivery',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        summary: 'Tell whether mails are sent',
        operationId: 'getMailDelivery',
        response: { 200: MailDelivery },
      },
    },
    (request) => readDelivery(context, request.caller.workspaceId),
  )

  app.post(
    '/v1/mailDelivery/sendHeld',
    {
      config: { role: 'admin', action: 'mail.sendHeld' },
      schema: {
        tags,
        summary: 'Send the mails that are held',
        operationId: 'sendHeldMails',
        errors: ['noMailServer'],
        response: { 202: MailDelivery },
      },
    },
    async (request, reply) => reply.code(202).send(await sendHeldMails(context, request.caller.workspaceId)),
  )

  app.post(
    '/v1/mailDelivery/discardHeld',
    {
      config: { role: 'admin', action: 'mail.discardHeld' },
      schema: {
        tags,
        summary: 'Delete the mails that are held',
        operationId: 'discardHeldMails',
        response: { 200: MailDelivery },
      },
    },
    (request) => discardHeldMails(context, request.caller.workspaceId),
  )
}
