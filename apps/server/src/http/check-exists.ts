import type { FastifyRequest } from 'fastify'
import { PathId } from './path-id.ts'

/**
 * Creates a hook for routes with a body that looks up the resource in the path before the body is read, so that a
 * missing resource (404) is reported before an invalid body (400). `keep` receives the resource, for a handler that
 * needs it.
 */
export function checkExists<Found>(
  param: string,
  require: (workspaceId: number, id: number) => Promise<Found>,
  keep?: (request: FastifyRequest, found: Found) => void,
) {
  return async (request: FastifyRequest): Promise<void> => {
    const { [param]: text } = request.params as Record<string, string | undefined>
    const found = await require(request.caller.workspaceId, PathId.parse(text ?? ''))
    keep?.(request, found)
  }
}
