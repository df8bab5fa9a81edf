import type { FastifyRequest } from 'fastify'
import { PathId } from './path-id.ts'

/**
 * A hook for routes with a body: looks for what the path names before the body is read, so that what does not exist
 * is told before what is not valid. `keep` gets what was found, for a handler that needs it.
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
