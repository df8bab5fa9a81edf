import { ApiError } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { ignoreOutOfSpace } from '../db/out-of-space.ts'
import { hashSecret } from '../secrets/hash-secret.ts'
import { findAccount } from '../accounts/find.ts'
import type { AppContext } from '../context.ts'
import { hasOldCookie, readSessionCookie, setSessionCookie } from './cookie.ts'
import { isAllowed, isCsrfToken, type SignedIn, toSessionEnd } from './session.ts'
import { extendSession, findSession } from './store.ts'

type Context = Pick<AppContext, 'db' | 'config' | 'signingKey'>

/** A session's expiry is extended at most once in this many milliseconds, so that reads do not become writes. */
const extendInterval = 60 * 60 * 1000

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

declare module 'fastify' {
  interface FastifyRequest {
    signedIn: SignedIn
  }
}

/** Requires a signed-in account, whatever its workspaces. API tokens belong to no account and are refused. */
export function requireSignedIn(context: Context): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const hasToken = request.headers['x-service-token'] !== undefined
    const signedIn = hasToken ? undefined : await resumeSession(context, request, reply)
    if (!signedIn) throw new ApiError('unauthorized', { detail: 'This needs a signed-in account' })
    request.signedIn = signedIn
  }
}

/**
 * Returns the signed-in account of the session cookie, or undefined.
 *
 * @throws {ApiError} csrf for a write without a valid CSRF token
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
  if (!account || !isAllowed(context.config, session, account)) return undefined
  if (session.last_used_at < now - extendInterval) {
    const { created_at: createdAt, provider } = session
    const extended = { last_used_at: now, expires_at: toSessionEnd(context.config, { createdAt, provider }, now) }
    await extendSession(context.db, session.id, extended).catch(ignoreOutOfSpace)
    setSessionCookie(reply, context.config, token)
  } else if (hasOldCookie(request, context.config)) {
    setSessionCookie(reply, context.config, token)
  }
  return { sessionId: session.id, tokenHash, account, provider: session.provider, logoutUrl: session.logout_url }
}
