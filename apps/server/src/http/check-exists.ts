import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { PathId } from './path-id.ts'

const Params = z.record(z.string(), z.unknown())

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
    const found = await require(request.caller.workspaceId, PathId.parse(Params.parse(request.params)[param]))
    keep?.(request, found)
  }
}
