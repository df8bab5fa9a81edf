import { ApiError, type LinkAccount, type PendingLink, type Session } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findAccount } from '../accounts/find.ts'
import { recordRefusedSignIn } from '../audit/record.ts'
import type { AppContext } from '../context.ts'
import { parseJsonText } from '../db/json-text.ts'
import { transact } from '../db/transact.ts'
import { isUniqueViolation } from '../db/unique.ts'
import { isRightPassword } from '../passwords/guard.ts'
import { hashSecret } from '../secrets/hash-secret.ts'
import { createNetworkCheck } from '../sessions/known-network.ts'
import { checkSecondFactor } from '../two-factor/check.ts'
import { clearLinkCookie, readLinkCookie } from './cookies.ts'
import { startProviderSession } from './finish.ts'
import { linkSignedIn } from './link-signed-in.ts'
import { Refusal } from './refusal.ts'
import { findPendingLink, takePendingLink } from './store.ts'
import { tellOwner } from './tell-owner.ts'

/** Reads the identity that waits, by the browser's cookie. */
async function requirePendingLink(context: AppContext, request: FastifyRequest) {
  const token = readLinkCookie(context, request)
  const row = token === undefined ? undefined : await findPendingLink(context.db, hashSecret(token))
  const account = row && (await findAccount(context, row.account_id))
  const content = row && parseJsonText(row.content)
  const provider = content && context.providers.get(content.provider)
  if (!account || !provider) throw new ApiError('linkExpired')
  return { tokenHash: row.token_hash, account, content, provider }
}

/** @throws {ApiError} linkExpired */
export async function readPendingLink(context: AppContext, request: FastifyRequest): Promise<PendingLink> {
  const { account, content, provider } = await requirePendingLink(context, request)
  return {
    provider: provider.key,
    providerName: provider.name,
    email: content.email,
    returnTo: content.returnTo,
    hasPassword: account.password_hash !== '',
  }
}

/**
 * Links the identity that waits to its account, once the person has proved with the password and the second factor that
 * the account is theirs, and signs them in. A password counts as this proof also where nobody signs in with one.
 *
 * @throws {ApiError} linkExpired, wrongCredentials, twoFactorCode, accountClosed, accountDisabled, tooManyRequests
 */
export async function proveAccount(
  context: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { password, code }: LinkAccount,
): Promise<Session> {
  const { tokenHash, account, content, provider } = await requirePendingLink(context, request)
  const { email } = account
  const address = request.ip
  const isKnownNetwork = createNetworkCheck(context, account, address)
  const isRight = await isRightPassword(context.guard, { email, password, account, address, isKnownNetwork })
  if (!isRight) {
    recordRefusedSignIn(context, account.id, { email, address })
    throw new ApiError('wrongCredentials', { detail: 'The password is wrong' })
  }
  await checkSecondFactor(context, account, code)
  const entry = await transact(context.db, async (trx) => {
    if (!(await takePendingLink(trx, tokenHash))) throw new ApiError('linkExpired')
    const entry = await linkSignedIn(trx, provider, { ...content, name: null }, account.id)
    await tellOwner({ ...context, db: trx }, provider, entry)
    return entry
  }).catch((error: unknown) => {
    throw toApiError(error)
  })
  context.jobs.wake()
  clearLinkCookie(context, reply)
  return startProviderSession(context, request, reply, { entry, finished: content }).catch((error: unknown) => {
    throw toApiError(error)
  })
}

/** The page that shows these refusals is a client of the API. */
function toApiError(error: unknown): unknown {
  if (isUniqueViolation(error)) return new ApiError('linkExpired', { cause: error })
  if (!(error instanceof Refusal)) return error
  if (error.reason === 'disabled') return new ApiError('accountDisabled')
  return error.message === '' ? new ApiError('accountClosed') : new ApiError('linkExpired', { detail: error.message })
}
