import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../http/app.ts'
import { requireCrashKey } from './authorize.ts'
import { type Intake, limitRate, openBody } from './intake.ts'
import { readEncoding, receiveDelivery } from './receive.ts'
import { unrecorded } from './unrecorded.ts'

/** The endpoint that App Center's SDKs send to after `setLogUrl`. */
export function addAppCenterRoutes(app: App, intake: Intake): void {
  app.post('/api/appcenter/logs', { schema: { hide: true }, config: unrecorded }, (request, reply) =>
    receive(intake, request, reply),
  )
}

async function receive(intake: Intake, request: FastifyRequest, reply: FastifyReply) {
  const { context, inbox } = intake
  const key = await requireCrashKey(context, toText(request.headers['app-secret']))
  limitRate(intake, key, (waitMs) => ({
    'retry-after': String(Math.ceil(waitMs / 1000)),
    'x-ms-retry-after-ms': String(waitMs),
  }))
  const encoding = readEncoding(request.headers['content-encoding'])
  using body = await openBody(intake, request, reply, key.application_id)
  const { crashIds } = await receiveDelivery(context, inbox, {
    applicationId: key.application_id,
    protocol: 'appcenter',
    encoding,
    options: { installId: toText(request.headers['install-id'])?.slice(0, 200) ?? null },
    body: body.bytes,
  })
  const ids = { validDiagnosticsIds: crashIds, throttledDiagnosticsIds: [] }
  return { status: 'Success', ...ids, correlationId: randomUUID() }
}

function toText(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}
