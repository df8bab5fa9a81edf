import type { AppContext } from '../context.ts'
import { checkExists } from '../http/check-exists.ts'
import type { BuildRecord } from './build.ts'
import { requireBuild } from './find.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The build in the path, which the hook of `keepBuild` has read. */
    build: BuildRecord
  }
}

/** Creates a hook that reads the build in the path before the body is read, and keeps it for the handler. */
export function keepBuild(context: AppContext) {
  return checkExists(
    'buildId',
    (workspaceId, id) => requireBuild(context, workspaceId, id),
    (request, build) => {
      request.build = build
    },
  )
}
