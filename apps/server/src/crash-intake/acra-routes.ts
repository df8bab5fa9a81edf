import { ApiError } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../http/app.ts'
import { findBasicLogin, requireCrashKey } from './authorize.ts'
import { type Intake, openBody, takeTurn } from './intake.ts'
import { readEncoding, receiveDelivery } from './receive.ts'
import { unrecorded } from './unrecorded.ts'

/** ACRA puts attachments beside their report, under its id and the name of the file. */
const attachment = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-./i

/** The endpoints that ACRA's HTTP sender posts or puts a report to. */
export function addAcraRoutes(app: App, intake: Intake): void {
  const params = z.object({ key: z.string() })
  for (const path of ['/api/acra', '/api/acra/']) {
    app.post(path, { schema: { hide: true }, config: unrecorded }, (request, reply) =>
      receive(intake, request, reply, {}),
    )
  }
  app.post('/api/acra/:key', { schema: { hide: true, params }, config: unrecorded }, (request, reply) =>
    receive(intake, request, reply, { key: request.params.key }),
  )
  app.put(
    '/api/acra/:key/:reportId',
    { schema: { hide: true, params: params.extend({ reportId: z.string() }) }, config: unrecorded },
    (request, reply) => receive(intake, request, reply, request.params),
  )
}

async function receive(
  intake: Intake,
  request: FastifyRequest,
  reply: FastifyReply,
  { key, reportId }: { key?: string; reportId?: string },
) {
  const { context, inbox } = intake
  const row = await requireCrashKey(context, key ?? findBasicLogin(request.headers.authorization))
  const waitMs = takeTurn(intake, row)
  // ACRA drops a report for 429 and keeps it for any 5xx.
  if (waitMs > 0) throw new ApiError('overloaded', { headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) } })
  if (reportId !== undefined && attachment.test(reportId)) return reply.code(200).send('')
  const encoding = readEncoding(request.headers['content-encoding'])
  using body = await openBody(intake, request, reply, row.application_id)
  await receiveDelivery(context, inbox, {
    applicationId: row.application_id,
    protocol: 'acra',
    encoding,
    options: {
      contentType: request.sentContentType,
      ...(reportId !== undefined && { sourceId: reportId.slice(0, 64) }),
    },
    body: body.bytes,
  })
  return reply.code(200).send('')
}
