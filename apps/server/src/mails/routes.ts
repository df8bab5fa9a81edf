import { Mail, Page, SendTestMail } from '@fairlead/contract'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { sendJsonArray } from '../http/send-json.ts'
import { announcePage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { iterateMails, listMails, toMails } from './list.ts'
import { toMail } from './mail.ts'
import { retryMail } from './retry.ts'
import { sendTestMail } from './send-test.ts'
import { requireMail } from './store.ts'

const params = z.object({ mailId: PathId })
const tags = ['Mails']

export function addMailRoutes(app: App, context: AppContext): void {
  app.get(
    '/v1/mails',
    {
      config: { role: 'admin' },
      schema: {
        tags,
        summary: 'List the outbox',
        operationId: 'listMails',
        querystring: Page,
        response: { 200: z.array(Mail) },
      },
    },
    async (request, reply) => {
      const { workspaceId } = request.caller
      const { limit, ...page } = request.query
      if (limit === undefined) return sendJsonArray(reply, iterateMails(context.db, workspaceId, page))
      const mails = await listMails(context.db, workspaceId, { ...page, limit })
      announcePage(request, reply, context.config.baseUrl, mails)
      return sendJsonArray(reply, toMails(mails.items))
    },
  )

  app.get(
    '/v1/mails/:mailId',
    {
      config: { role: 'admin' },
      schema: { tags, summary: 'Get a mail', errors: ['mailNotFound'], params, response: { 200: Mail } },
    },
    async (request) => toMail(await requireMail(context.db, request.caller.workspaceId, request.params.mailId)),
  )

  app.post(
    '/v1/mails/test',
    {
      config: { role: 'admin', action: 'mail.test' },
      schema: {
        tags,
        summary: 'Send a mail that shows that mails arrive',
        operationId: 'sendTestMail',
        errors: ['noMailServer', 'tooManyMails'],
        body: SendTestMail,
        response: { 202: Mail },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await sendTestMail(context, request.caller.workspaceId, request.body.recipient)),
  )

  app.post(
    '/v1/mails/:mailId/retry',
    {
      config: { role: 'admin', action: 'mail.retry' },
      schema: {
        tags,
        summary: 'Retry sending a mail',
        operationId: 'retryMail',
        errors: ['mailNotFound', 'mailSent', 'noMailServer'],
        params,
        response: { 202: Mail },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await retryMail(context, request.caller.workspaceId, request.params.mailId)),
  )
}
