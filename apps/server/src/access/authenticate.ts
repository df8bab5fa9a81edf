import { ApiError, roles } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
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
 * Identifies the caller by the token header, otherwise by the session cookie. A token header makes the cookie
 * irrelevant.
 */
async function findCaller(context: Context, request: FastifyRequest, reply: FastifyReply): Promise<Caller | undefined> {
  const token = request.headers['x-service-token']
  if (token === undefined) return findSessionCaller(context, request, reply)
  return typeof token === 'string' ? findTokenCaller(context, token) : undefined
}
