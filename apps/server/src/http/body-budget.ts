import { requireKey } from '@fairlead/invariant'
import { ApiError } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface BodyLimits {
  /** The most bytes that the bodies of all running requests may have together. */
  maxBytes: number
  /** The most bytes that the bodies of one key's running requests may have together. */
  maxBytesPerKey: number
}

export interface BodyBudget {
  /** Creates a hook that counts a request's body from before it is read until the request is answered. */
  takeFor(toKey: (request: FastifyRequest) => number): (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

const retryAfter = '5'

/**
 * Bounds the memory of bodies that are parsed as a whole. A request beyond the budget is refused before its body is
 * read: with 429 when its own key uses too much, with 503 when all requests together do. A body of unknown length
 * counts as the largest that the route allows.
 */
export function createBodyBudget({ maxBytes, maxBytesPerKey }: BodyLimits): BodyBudget {
  const bytesOf = new Map<number, number>()
  let total = 0

  return {
    takeFor: (toKey) => async (request, reply) => {
      const key = toKey(request)
      const { bodyLimit } = request.routeOptions
      const size = Math.min(Number(request.headers['content-length'] ?? bodyLimit), bodyLimit)
      const own = bytesOf.get(key) ?? 0
      const headers = { 'retry-after': retryAfter }
      // A connection that has closed already would never give its bytes back.
      if (reply.raw.destroyed) throw new ApiError('clientClosed')
      if (own + size > maxBytesPerKey) throw new ApiError('tooManyRequests', { headers })
      if (total + size > maxBytes) throw new ApiError('overloaded', { headers })
      bytesOf.set(key, own + size)
      total += size
      reply.raw.once('close', () => {
        total -= size
        const left = requireKey(bytesOf, key) - size
        if (left === 0) bytesOf.delete(key)
        else bytesOf.set(key, left)
      })
    },
  }
}
