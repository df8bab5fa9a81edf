import { ApiError, type ApproveLogin, type LoginRequest, roles } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { toInstant } from '../http/instant.ts'
import { requireMembership } from '../sessions/membership.ts'
import type { SignedIn } from '../sessions/session.ts'
import { hashUserCode } from './codes.ts'
import { decide, findWaiting, type LoginRow } from './store.ts'

type Context = Pick<AppContext, 'db' | 'config' | 'guard' | 'signingKey'>

/**
 * Finds a login by the code that a person typed.
 *
 * @throws {ApiError} loginRequestNotFound, tooManyRequests
 */
export async function findLogin(context: Context, { account }: SignedIn, userCode: string): Promise<LoginRequest> {
  return byCode(context, account.id, userCode, (hash, now) => findWaiting(context.db, hash, now))
}

/**
 * Lets the command line that shows the code act in a workspace, with a role that is not wider than the person's own.
 *
 * @throws {ApiError} loginRequestNotFound, tooManyRequests, forbidden, twoFactorRequired, providerRequired
 */
export async function approveLogin(
  context: Context,
  signedIn: SignedIn,
  { userCode, workspaceId, role, expirationDate }: ApproveLogin,
): Promise<LoginRequest> {
  const membership = await requireMembership(context, signedIn, String(workspaceId))
  if (roles.indexOf(membership.role) < roles.indexOf(role)) {
    throw new ApiError('forbidden', {
      detail: `Your role in this workspace is ${membership.role}, so ${role} is too wide`,
    })
  }
  const expiresAt = expirationDate ? Date.parse(expirationDate) : null
  if (expiresAt !== null && expiresAt <= Date.now()) {
    throw new ApiError('invalidRequest', { faults: [{ source: '/expirationDate', detail: 'is in the past' }] })
  }
  const { id } = signedIn.account
  const approval = { workspace_id: workspaceId, role, token_expires_at: expiresAt }
  return byCode(context, id, userCode, (hash, now) =>
    decide(context.db, hash, now, { state: 'approved', account_id: id, ...approval }),
  )
}

/** @throws {ApiError} loginRequestNotFound, tooManyRequests */
export async function refuseLogin(context: Context, { account }: SignedIn, userCode: string): Promise<LoginRequest> {
  return byCode(context, account.id, userCode, (hash, now) =>
    decide(context.db, hash, now, { state: 'refused', account_id: account.id }),
  )
}

/** Runs something on the login of a code. Codes that do not exist are counted, so that nobody tries many. */
async function byCode(
  context: Context,
  accountId: number,
  userCode: string,
  run: (hash: string, now: number) => Promise<LoginRow | undefined>,
): Promise<LoginRequest> {
  const { loginCodes } = context.guard
  const key = String(accountId)
  await loginCodes.check(key)
  const row = await run(hashUserCode(context, userCode), Date.now())
  if (!row) throw new ApiError('loginRequestNotFound')
  await loginCodes.takeBack(key)
  return {
    name: row.name,
    address: row.address,
    userAgent: row.user_agent,
    createdDate: toInstant(row.created_at),
    expirationDate: toInstant(row.expires_at),
  }
}
