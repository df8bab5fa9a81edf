import { randomBytes } from 'node:crypto'
import { ApiError, type Session } from '@fairlead/contract'
import type { AccountRow } from '../accounts/account.ts'
import { hashSecret } from '../api-tokens/secret.ts'
import type { AppContext } from '../context.ts'
import { toSession, toSessionEnd } from './session.ts'
import { deleteSession } from './store.ts'

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
  context: Pick<AppContext, 'db' | 'linkKey'>,
  account: AccountRow,
  previousToken: string | undefined,
): Promise<StartedSession> {
  const { db } = context
  const token = randomBytes(32).toString('base64url')
  const tokenHash = hashSecret(token)
  const now = Date.now()
  if (previousToken !== undefined) await deleteSession(db, hashSecret(previousToken))
  const started = await db
    .insertInto('sessions')
    .columns(['account_id', 'token_hash', 'created_at', 'last_used_at', 'expires_at'])
    .expression((query) =>
      query
        .selectFrom('accounts')
        .select((select) => [
          'accounts.id as account_id',
          select.val(tokenHash).as('token_hash'),
          select.val(now).as('created_at'),
          select.val(now).as('last_used_at'),
          select.val(toSessionEnd(now, now)).as('expires_at'),
        ])
        .where('accounts.id', '=', account.id)
        // The password may have been changed while it was being verified, perhaps because it had leaked.
        .where('accounts.password_hash', '=', account.password_hash),
    )
    .returning('id')
    .executeTakeFirst()
  if (!started) throw new ApiError('wrongCredentials')
  return { token, session: await toSession(context, { account, tokenHash }) }
}
