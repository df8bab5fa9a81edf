import { ApiError } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../context.ts'
import type { Caller } from '../http/caller.ts'
import { resumeSession } from './resume.ts'
import { listMemberships, type Membership } from './store.ts'

/**
 * Returns the caller of a session: the account as a member of the workspace in `X-Fairlead-Workspace`, or of its first
 * one. The role is read on each request, so that a revoked role takes effect at once.
 *
 * @throws {ApiError} csrf; forbidden when the account is not a member; twoFactorRequired
 */
export async function findSessionCaller(
  context: Pick<AppContext, 'db' | 'config' | 'signingKey'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller | undefined> {
  const signedIn = await resumeSession(context, request, reply)
  if (!signedIn) return undefined
  const { account } = signedIn
  const membership = chooseMembership(
    await listMemberships(context.db, account.id),
    request.headers['x-fairlead-workspace'],
  )
  if (!membership) throw new ApiError('forbidden', { detail: 'The account is not a member of this workspace' })
  if (membership.requires_two_factor === 1 && account.totp_enabled_at === null) throw new ApiError('twoFactorRequired')
  return {
    workspaceId: membership.workspace_id,
    role: membership.role,
    name: account.name,
    accountId: account.id,
    apiTokenId: null,
    knownUntil: 0,
  }
}

function chooseMembership(memberships: Membership[], named: unknown): Membership | undefined {
  if (named === undefined) return memberships[0]
  return memberships.find(({ workspace_id }) => String(workspace_id) === named)
}
