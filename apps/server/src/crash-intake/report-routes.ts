import { ApiError } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { z } from 'zod'
import { requireApplication } from '../applications/find.ts'
import type { App } from '../http/app.ts'
import { PathId } from '../http/path-id.ts'
import { findHeader } from '../http/request-headers.ts'
import { requireCrashKey } from './authorize.ts'
import { type Intake, limitRate, openBody } from './intake.ts'
import { readEncoding, receiveDelivery } from './receive.ts'

const Params = z.object({ applicationId: PathId })

/** Takes a crash report as a file, from a CI job with a token or from an app with a crash key. */
export function addReportRoute(app: App, intake: Intake, authenticate: onRequestAsyncHookHandler): void {
  app.post(
    '/v1/applications/:applicationId/crashes',
    {
      config: {
        role: 'developer',
        action: null,
        takes: {
          types: ['text/plain', 'application/json', 'application/octet-stream'],
          description:
            'An Android trace, log, ANR, tombstone, an .ips, a .crash, a MetricKit payload, a JavaScript or Dart stack',
          headers: {
            'X-Service-Crash-Key': {
              description: 'A crash key of the application, instead of a token',
              example: '5f2b8c0d9e7a4136b8c2d4e6f8a01357',
            },
            'X-Service-Version': { description: 'Build number, for reports that do not say it', example: '412' },
            'X-Service-Short-Version': { description: 'Version, for reports that do not say it', example: '2.4.0' },
            'X-Service-Install-Id': {
              description: 'Id of the installation; a hash of it is kept',
              example: 'a7c1f0de-53b2-4c8e-9d10-2f4b6a8c0e13',
            },
          },
        },
      },
      onRequest: authorize(intake, authenticate),
      schema: {
        tags: ['Crashes'],
        summary: 'Send a crash report',
        errors: ['crashKeyUnknown', 'unsupportedEncoding', 'unreadableCrash', 'tooManyRequests', 'overloaded'],
        params: Params,
        response: { 202: z.object({ id: z.string().meta({ examples: ['8f14e45f-ceea-467e-a1b2-c3d4e5f60718'] }) }) },
      },
    },
    (request, reply) => receive(intake, request, reply, request.params.applicationId),
  )
}

/** Authorizes a request by its crash key, or without one as any other request of the API. */
function authorize(intake: Intake, authenticate: onRequestAsyncHookHandler): onRequestAsyncHookHandler {
  const { context } = intake
  return async function (this, request, reply) {
    const { applicationId } = Params.parse(request.params)
    const given = request.headers['x-service-crash-key']
    if (typeof given !== 'string') {
      await authenticate.call(this, request, reply)
      await requireApplication(context, request.caller.workspaceId, applicationId)
      return
    }
    const key = await requireCrashKey(context, given).catch((cause: unknown) => {
      throw cause instanceof ApiError ? new ApiError('crashKeyUnknown', { cause }) : cause
    })
    if (key.application_id !== applicationId) throw new ApiError('crashKeyUnknown')
    limitRate(intake, key, (waitMs) => ({ 'retry-after': String(Math.ceil(waitMs / 1000)) }))
  }
}

async function receive(intake: Intake, request: FastifyRequest, reply: FastifyReply, applicationId: number) {
  const { context, inbox } = intake
  const { headers } = request
  const encoding = readEncoding(headers['content-encoding'])
  using body = await openBody(intake, request, reply, applicationId)
  const { crashIds } = await receiveDelivery(context, inbox, {
    applicationId,
    protocol: 'report',
    encoding,
    options: {
      installId: findHeader(headers, 'X-Service-Install-Id'),
      version: findHeader(headers, 'X-Service-Version'),
      shortVersion: findHeader(headers, 'X-Service-Short-Version'),
    },
    body: body.bytes,
  })
  return reply.code(202).send({ id: crashIds[0] ?? '' })
}
