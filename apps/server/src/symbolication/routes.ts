import { SymbolicateQuery, SymbolicatedCrash } from '@fairlead/contract'
import { z } from 'zod'
import { requireApplication } from '../applications/find.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { checkExists } from '../http/check-exists.ts'
import { createHangUpSignal } from '../http/hang-up-signal.ts'
import { ignoreContentType } from '../http/parse-json.ts'
import { PathId } from '../http/path-id.ts'
import { symbolicateCrash } from './symbolicate-crash.ts'

/** Bytes of a report. A log of a hundred thousand lines fits. */
const reportLimit = 16 * 2 ** 20

/** The scope has parsers of its own: the body is the text of a crash, whatever content type the client gives it. */
export function addSymbolicationRoutes(app: App, context: AppContext): void {
  ignoreContentType(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: reportLimit }, (_request, body, done) =>
    done(null, body),
  )
  app.post(
    '/v1/applications/:applicationId/symbolicate',
    {
      bodyLimit: reportLimit,
      config: {
        role: 'viewer',
        takes: {
          types: ['text/plain', 'application/octet-stream'],
          description: 'An Android trace or log, an .ips or a .crash, as it is',
          headers: {},
        },
      },
      onRequest: checkExists('applicationId', (workspaceId, id) => requireApplication(context, workspaceId, id)),
      schema: {
        tags: ['Symbols files'],
        summary: 'Read a crash with the symbols of an application',
        params: z.object({ applicationId: PathId }),
        querystring: SymbolicateQuery,
        response: { 200: SymbolicatedCrash },
      },
    },
    (request, reply) => {
      const text = typeof request.body === 'string' ? request.body : ''
      const { caller, params, query } = request
      const signal = createHangUpSignal(reply)
      return symbolicateCrash(context, caller.workspaceId, params.applicationId, { text, query, signal })
    },
  )
}
