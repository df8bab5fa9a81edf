import { ApiError } from '@fairlead/contract'
import { CrashesError, decodeStart, parseEnvelope } from '@fairlead/crashes'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../http/app.ts'
import { PathId } from '../http/path-id.ts'
import { findDsnKey, findSentryKey, requireCrashKey } from './authorize.ts'
import { type Intake, limitRate, openBody, skipAttachments } from './intake.ts'
import { readEncoding, receiveDelivery } from './receive.ts'
import { unrecorded } from './unrecorded.ts'

/** Categories of items that are not read. The answer tells SDKs to stop sending them for an hour. */
const unreadCategories =
  'transaction;span;profile;profile_chunk;profile_chunk_ui;replay;log_item;trace_metric;monitor;feedback;attachment'

/** The endpoints that Sentry's SDKs send to. Browsers send from pages of any origin, so CORS allows all. */
export function addSentryRoutes(app: App, intake: Intake): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('access-control-allow-origin', '*')
    reply.header('access-control-expose-headers', 'X-Sentry-Error, X-Sentry-Rate-Limits, Retry-After')
    done()
  })
  const params = z.object({ applicationId: PathId })
  for (const protocol of ['envelope', 'store'] as const) {
    for (const path of [`/api/:applicationId/${protocol}/`, `/api/:applicationId/${protocol}`]) {
      app.post(path, { schema: { hide: true, params }, config: unrecorded }, (request, reply) =>
        receive(intake, request, reply, { protocol, applicationId: request.params.applicationId }),
      )
      app.options(path, { schema: { hide: true } }, (_request, reply) =>
        reply
          .code(204)
          .header('access-control-allow-methods', 'POST')
          .header(
            'access-control-allow-headers',
            'X-Sentry-Auth, X-Requested-With, Origin, Accept, Content-Type, Content-Encoding, Authorization, ' +
              'Sentry-Trace, Baggage',
          )
          .header('access-control-max-age', '86400')
          .send(),
      )
    }
  }
}

async function receive(
  intake: Intake,
  request: FastifyRequest,
  reply: FastifyReply,
  { protocol, applicationId }: { protocol: 'envelope' | 'store'; applicationId: number },
) {
  const { context, inbox } = intake
  const given = findSentryKey(request.headers, request.query)
  const early = given === undefined ? undefined : await requireCrashKey(context, given)
  if (early && early.application_id !== applicationId) throw new ApiError('crashKeyRefused')
  if (early) limitRate(intake, early, toRateHeaders)
  const encoding = readEncoding(request.headers['content-encoding'])
  const requireDsnKey = async (start: Buffer, startEncoding = encoding) => {
    const key = await requireCrashKey(context, protocol === 'envelope' ? readDsnKey(start, startEncoding) : undefined)
    if (key.application_id !== applicationId) throw new ApiError('crashKeyRefused')
    return key
  }
  const checkStart = early ? undefined : async (start: Buffer) => void (await requireDsnKey(start))
  const overflow = protocol === 'envelope' ? skipAttachments(encoding) : undefined
  using body = await openBody(intake, request, reply, early?.application_id, { checkStart, overflow })
  const { bytes, isReduced } = body
  const bodyEncoding = isReduced ? null : encoding
  if (!early) limitRate(intake, await requireDsnKey(bytes, bodyEncoding), toRateHeaders)
  const delivery = { applicationId, protocol, encoding: bodyEncoding, options: {}, body: bytes }
  const { crashIds, dropped, fallbackId } = await receiveDelivery(context, inbox, delivery)
  if (dropped.length > 0) reply.header('x-sentry-rate-limits', `3600:${unreadCategories}:key`)
  return { id: crashIds[0] ?? fallbackId }
}

function toRateHeaders(waitMs: number): Record<string, string> {
  const seconds = String(Math.ceil(waitMs / 1000))
  return { 'retry-after': seconds, 'x-sentry-rate-limits': `${seconds}:error:key` }
}

/** Finds the key in the header of an envelope, of which only the first bytes may have arrived. */
function readDsnKey(start: Buffer, encoding: ReturnType<typeof readEncoding>): string | undefined {
  try {
    const text = decodeStart(start, encoding)
    const end = text.indexOf('\n')
    return findDsnKey(parseEnvelope(end < 0 ? text : text.subarray(0, end + 1)).header['dsn'])
  } catch (error) {
    if (error instanceof CrashesError) return undefined
    throw error
  }
}
