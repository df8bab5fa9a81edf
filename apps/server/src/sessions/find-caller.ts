import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../context.ts'
import type { Caller } from '../http/caller.ts'
import { requireMembership } from './membership.ts'
import { resumeSession } from './resume.ts'

/**
 * Returns the caller of a session: the account as a member of the workspace in `X-Fairlead-Workspace`, or of its first
 * one. The role is read on each request, so that a revoked role takes effect at once.
 *
 * @throws {ApiError} csrf; forbidden when the account is not a member; twoFactorRequired, providerRequired
 */
export async function findSessionCaller(
  context: Pick<AppContext, 'db' | 'config' | 'signingKey'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller | undefined> {
  const signedIn = await resumeSession(context, request, reply)
  if (!signedIn) return undefined
  const { account } = signedIn
  const membership = await requireMembership(context, signedIn, request.headers['x-fairlead-workspace'])
  return {
    workspaceId: membership.workspace_id,
    role: membership.role,
    name: account.name,
    accountId: account.id,
    apiTokenId: null,
    knownUntil: 0,
  }
}
