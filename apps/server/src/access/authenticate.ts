import { ApiError, roles } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { findTokenCaller } from '../api-tokens/find-caller.ts'
import type { AppContext } from '../context.ts'
import { findSessionCaller } from '../sessions/find-caller.ts'
import type { Caller } from '../http/caller.ts'

type Context = Pick<AppContext, 'db' | 'memo' | 'config' | 'signingKey'>

/**
 * Tells who asks and whether their role is enough, before a byte of the body is read.
 * The order is the contract's: 401 first, then 403; what does not exist comes after.
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

/** A token by its header, else a member by the cookie: where the header is, the cookie counts for nothing. */
async function findCaller(context: Context, request: FastifyRequest, reply: FastifyReply): Promise<Caller | undefined> {
  const token = request.headers['x-service-token']
  if (token === undefined) return findSessionCaller(context, request, reply)
  return typeof token === 'string' ? findTokenCaller(context, token) : undefined
}
