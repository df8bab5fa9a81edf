import { ApiError } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { hashSecret } from '../secrets/hash-secret.ts'
import { findAccount } from '../accounts/find.ts'
import type { AppContext } from '../context.ts'
import { readSessionCookie, setSessionCookie } from './cookie.ts'
import { isCsrfToken, type SignedIn, toSessionEnd } from './session.ts'
import { extendSession, findSession } from './store.ts'

type Context = Pick<AppContext, 'db' | 'config' | 'signingKey'>

/** A session is prolonged at most this often, so that reading does not become writing. */
const extendInterval = 60 * 60 * 1000

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

declare module 'fastify' {
  interface FastifyRequest {
    signedIn: SignedIn
  }
}

/** Lets only signed-in accounts through, whatever workspaces they belong to. A token is nobody's account. */
export function requireSignedIn(context: Context): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const hasToken = request.headers['x-service-token'] !== undefined
    const signedIn = hasToken ? undefined : await resumeSession(context, request, reply)
    if (!signedIn) throw new ApiError('unauthorized', { detail: 'This needs an account that is signed in' })
    request.signedIn = signedIn
  }
}

/**
 * Who the request's cookie says is signed in; undefined when nobody is.
 *
 * @throws {ApiError} csrf for a write that another site may have sent
 */
export async function resumeSession(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn | undefined> {
  const token = readSessionCookie(request)
  if (token === undefined) return undefined
  const tokenHash = hashSecret(token)
  const now = Date.now()
  const session = await findSession(context.db, tokenHash)
  if (!session || session.expires_at <= now) return undefined
  if (!readingMethods.has(request.method) && !isCsrfToken(context, tokenHash, request.headers['x-csrf-token'])) {
    throw new ApiError('csrf')
  }
  const account = await findAccount(context, session.account_id)
  if (!account) return undefined
  if (session.last_used_at < now - extendInterval) {
    await extendSession(context.db, session.id, {
      last_used_at: now,
      expires_at: toSessionEnd(session.created_at, now),
    })
    setSessionCookie(reply, context.config, token)
  }
  return { sessionId: session.id, tokenHash, account }
}
