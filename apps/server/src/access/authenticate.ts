import { ApiError, roles } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { readBearerToken } from '../api-tokens/bearer.ts'
import { findTokenCaller } from '../api-tokens/find-caller.ts'
import type { AppContext } from '../context.ts'
import { findSessionCaller } from '../sessions/find-caller.ts'
import type { Caller } from '../http/caller.ts'

type Context = Pick<AppContext, 'db' | 'memo' | 'config' | 'signingKey'>

/**
 * Authenticates the caller and checks the role before the body is read. The contract fixes the order: 401 first, then
 * 403, then 404.
 */
export function authenticate(context: Context): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const caller = await findCaller(context, request, reply)
    if (!caller) throw new ApiError('unauthorized')
    const needed = request.routeOptions.config.role ?? 'admin'
    if (roles.indexOf(caller.role) < roles.indexOf(needed)) {
      throw new ApiError('forbidden', {
        detail: `This needs the role ${needed}; the caller has the role ${caller.role}`,
      })
    }
    request.caller = caller
  }
}

/**
 * Identifies the caller by an API token, in either of two headers, otherwise by the session cookie. A token makes the
 * cookie irrelevant. Two tokens that differ are refused, because it is not clear who calls.
 */
async function findCaller(context: Context, request: FastifyRequest, reply: FastifyReply): Promise<Caller | undefined> {
  const token = request.headers['x-service-token']
  const bearer = readBearerToken(request.headers.authorization)
  if (token === undefined && bearer === undefined) return findSessionCaller(context, request, reply)
  if (token !== undefined && bearer !== undefined && token !== bearer) return undefined
  const sent = token ?? bearer
  return typeof sent === 'string' ? findTokenCaller(context, sent) : undefined
}
