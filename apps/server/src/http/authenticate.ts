import { ApiError, roles } from '@fairlead/contract'
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { findTokenCaller } from '../api-tokens/find-caller.ts'
import type { AppContext } from '../context.ts'
import type { Caller } from './caller.ts'

/**
 * Tells who asks and whether their role is enough, before a byte of the body is read.
 * The order is the contract's: 401 first, then 403; what does not exist comes after.
 */
export function authenticate(context: Pick<AppContext, 'db' | 'memo'>): onRequestAsyncHookHandler {
  return async (request) => {
    const caller = await findCaller(context, request)
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

async function findCaller(
  context: Pick<AppContext, 'db' | 'memo'>,
  request: FastifyRequest,
): Promise<Caller | undefined> {
  const token = request.headers['x-service-token']
  if (typeof token !== 'string') return undefined
  return findTokenCaller(context, token)
}
