import type { AppContext } from '../context.ts'
import { checkExists } from '../http/check-exists.ts'
import type { ApplicationRecord } from './application.ts'
import { requireApplication } from './find.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The application in the path, which the hook of `keepApplication` has read. */
    application: ApplicationRecord
  }
}

/** Creates a hook that reads the application in the path before the query is parsed, and keeps it for the handler. */
export function keepApplication(context: Pick<AppContext, 'db' | 'memo'>) {
  return checkExists(
    'applicationId',
    (workspaceId, id) => requireApplication(context, workspaceId, id),
    (request, application) => {
      request.application = application
    },
  )
}
