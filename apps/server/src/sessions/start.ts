import { randomBytes } from 'node:crypto'
import { ApiError, type Session } from '@fairlead/contract'
import type { AccountRow } from '../accounts/account.ts'
import { hashSecret } from '../secrets/hash-secret.ts'
import type { AppContext } from '../context.ts'
import { toSession, toSessionEnd } from './session.ts'
import { deleteSession, insertSession } from './store.ts'

export interface StartedSession {
  /** The secret for the cookie; only its digest is stored. */
  token: string
  session: Session
}

/**
 * Signs an account in with a new session and ends the browser's previous one, which prevents session fixation.
 *
 * @throws {ApiError} wrongCredentials when the password of `account` has changed meanwhile
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
  // The password may have been changed while it was being verified, perhaps because it had leaked.
  const isStarted = await insertSession(db, account, {
    token_hash: tokenHash,
    created_at: now,
    last_used_at: now,
    expires_at: toSessionEnd(now, now),
  })
  if (!isStarted) throw new ApiError('wrongCredentials')
  return { token, session: await toSession(context, { account, tokenHash }) }
}
