import type { FastifyRequest } from 'fastify'
import { PathId } from './path-id.ts'

/**
 * A hook for routes with a body: looks for what the path names before the body is read, so that what does not exist
 * is told before what is not valid.
 */
export function checkExists(param: string, require: (workspaceId: number, id: number) => Promise<unknown>) {
  return async (request: Pick<FastifyRequest, 'caller' | 'params'>): Promise<void> => {
    const { [param]: text } = request.params as Record<string, string | undefined>
    await require(request.caller.workspaceId, PathId.parse(text ?? ''))
  }
}
