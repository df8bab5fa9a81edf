import { ApiError } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../context.ts'
import type { Caller } from '../http/caller.ts'
import { resumeSession } from './resume.ts'
import { listMemberships, type Membership } from './store.ts'

/**
 * The caller a session stands for: a member of the workspace in `X-Fairlead-Workspace`, else of the account's first.
 * Looked up each time, so that a role taken away is gone at once.
 *
 * @throws {ApiError} csrf; forbidden when the account is no member
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
  if (!membership) throw new ApiError('forbidden', { detail: 'The account is no member of this workspace' })
  return {
    workspaceId: membership.workspace_id,
    role: membership.role,
    name: account.name,
    accountId: account.id,
  }
}

function chooseMembership(memberships: Membership[], named: unknown): Membership | undefined {
  if (named === undefined) return memberships[0]
  return memberships.find(({ workspace_id }) => String(workspace_id) === named)
}
