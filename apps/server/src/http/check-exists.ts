import type { FastifyRequest } from 'fastify'
import { PathId } from './path-id.ts'

/**
 * Creates a hook for routes with a body that looks up the resource in the path before the body is read, so that a
 * missing resource (404) is reported before an invalid body (400).
 */
export function checkExists(param: string, require: (workspaceId: number, id: number) => Promise<unknown>) {
  return async (request: Pick<FastifyRequest, 'caller' | 'params'>): Promise<void> => {
    const { [param]: text } = request.params as Record<string, string | undefined>
    await require(request.caller.workspaceId, PathId.parse(text ?? ''))
  }
}
