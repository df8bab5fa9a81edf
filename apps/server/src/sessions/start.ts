import { randomBytes } from 'node:crypto'
import { ApiError, type Session } from '@fairlead/contract'
import type { AccountRow } from '../accounts/account.ts'
import { hashSecret } from '../secrets/hash-secret.ts'
import type { AppContext } from '../context.ts'
import { toSession, toSessionEnd } from './session.ts'
import { deleteSession, insertSession } from './store.ts'

export interface StartedSession {
  /** The secret for the cookie, kept here only as its digest. */
  token: string
  session: Session
}

/**
 * Signs an account in. The session is always a new one, and the one before it ends: what somebody may have planted
 * in the browser is worth nothing afterwards.
 *
 * @throws {ApiError} wrongCredentials when the password is not that of `account` any more
 */
export async function startSession(
  context: Pick<AppContext, 'db' | 'signingKey'>,
  account: AccountRow,
  previousToken: string | undefined,
): Promise<StartedSession> {
  const { db } = context
  const token = randomBytes(32).toString('base64url')
  const tokenHash = hashSecret(token)
  const now = Date.now()
  if (previousToken !== undefined) await deleteSession(db, hashSecret(previousToken))
  // Checking a password takes a while, in which it may have been changed because somebody else knew it.
  const isStarted = await insertSession(db, account, {
    token_hash: tokenHash,
    created_at: now,
    last_used_at: now,
    expires_at: toSessionEnd(now, now),
  })
  if (!isStarted) throw new ApiError('wrongCredentials')
  return { token, session: await toSession(context, { account, tokenHash }) }
}
