import { randomBytes } from 'node:crypto'
import type { Session } from '@fairlead/contract'
import type { AccountRow } from '../accounts/account.ts'
import { hashSecret } from '../api-tokens/secret.ts'
import type { AppContext } from '../context.ts'
import { toSession, toSessionEnd } from './session.ts'
import { deleteSession } from './store.ts'

export interface StartedSession {
  /** The secret for the cookie, kept here only as its digest. */
  token: string
  session: Session
}

/**
 * Signs an account in. The session is always a new one, and the one before it ends: what somebody may have planted
 * in the browser is worth nothing afterwards.
 */
export async function startSession(
  context: Pick<AppContext, 'db' | 'linkKey'>,
  account: AccountRow,
  previousToken: string | undefined,
): Promise<StartedSession> {
  const { db } = context
  const token = randomBytes(32).toString('base64url')
  const tokenHash = hashSecret(token)
  const now = Date.now()
  if (previousToken !== undefined) await deleteSession(db, hashSecret(previousToken))
  await db
    .insertInto('sessions')
    .values({
      account_id: account.id,
      token_hash: tokenHash,
      created_at: now,
      last_used_at: now,
      expires_at: toSessionEnd(now, now),
    })
    .execute()
  return { token, session: await toSession(context, { account, tokenHash }) }
}
