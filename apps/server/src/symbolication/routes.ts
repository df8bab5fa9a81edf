import type { IncomingMessage } from 'node:http'
import { SymbolicateQuery, SymbolicatedCrash } from '@fairlead/contract'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { requireApplication } from '../applications/find.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { checkExists } from '../http/check-exists.ts'
import { createBodyBudget } from '../http/body-budget.ts'
import { createHangUpSignal } from '../http/hang-up-signal.ts'
import { ignoreContentType } from '../http/parse-json.ts'
import { readPieces } from '../http/read-pieces.ts'
import { toJsonAnswer } from '../http/send-json.ts'
import { PathId } from '../http/path-id.ts'
import { symbolicateCrash } from './symbolicate-crash.ts'

/** The most bytes of a report. A log of a hundred thousand lines fits. */
const reportLimit = 16 * 2 ** 20

/** The most bytes of reports in memory, whether being received, waiting or being read: in all, and of one workspace. */
const heldLimits = { maxBytes: 64 * 2 ** 20, maxBytesPerKey: 32 * 2 ** 20 }

interface ReceivedReport {
  pieces: Buffer[]
}

/** The scope has parsers of its own: the body is the text of a crash, whatever content type the client gives it. */
export function addSymbolicationRoutes(app: App, context: AppContext): void {
  ignoreContentType(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (_request: FastifyRequest, source: IncomingMessage) => {
    return { pieces: await readPieces(source, reportLimit) } satisfies ReceivedReport
  })
  const held = createBodyBudget(heldLimits)
  app.post(
    '/v1/applications/:applicationId/symbolicate',
    {
      bodyLimit: reportLimit,
      config: {
        role: 'viewer',
        action: null,
        takes: {
          types: ['text/plain', 'application/octet-stream'],
          description:
            'A trace, log or tombstone of Android, an .ips, a .crash, a MetricKit payload, a JavaScript or Dart stack',
          headers: {},
        },
      },
      onRequest: [
        checkExists('applicationId', (workspaceId, id) => requireApplication(context, workspaceId, id)),
        held.takeFor((request) => request.caller.workspaceId),
      ],
      schema: {
        tags: ['Symbols files'],
        summary: 'Read a crash with the symbols of an application',
        operationId: 'symbolicate',
        errors: ['applicationNotFound', 'symbolsFileNotFound', 'unreadableReport', 'tooManyRequests', 'overloaded'],
        params: z.object({ applicationId: PathId }),
        querystring: SymbolicateQuery,
        response: { 200: SymbolicatedCrash },
      },
    },
    async (request, reply) => {
      // A request without a body has none. The parser above gives no other kind of body.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as said above
      const { pieces: text } = (request.body ?? { pieces: [] }) as ReceivedReport
      const { caller, params, query } = request
      const signal = createHangUpSignal(reply)
      const json = await symbolicateCrash(context, caller.workspaceId, params.applicationId, { text, query, signal })
      return toJsonAnswer(reply, json)
    },
  )
}
