import { ApiError, type RedeemPasswordReset } from '@fairlead/contract'
import type { Passwords } from '../accounts/passwords.ts'
import { hashSecret } from '../api-tokens/secret.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { deleteSessionsOf } from '../sessions/store.ts'

/**
 * Sets a new password with a one-time link, ends all sessions of the account and voids its other links.
 *
 * @throws {ApiError} passwordResetNotFound
 */
export async function redeemPasswordReset(
  { db, passwords }: Pick<AppContext, 'db'> & { passwords: Passwords },
  { token, password }: RedeemPasswordReset,
): Promise<void> {
  const tokenHash = hashSecret(token)
  if (!(await selectReset(db, tokenHash).executeTakeFirst())) throw new ApiError('passwordResetNotFound')
  const passwordHash = await passwords.hash(password)
  await db.transaction().execute(async (trx) => {
    // Of two concurrent requests with the same link, only one deletes the row.
    const reset = await trx
      .deleteFrom('password_resets')
      .where('token_hash', '=', tokenHash)
      .where('expires_at', '>', Date.now())
      .returning('account_id')
      .executeTakeFirst()
    if (!reset) throw new ApiError('passwordResetNotFound')
    const { account_id } = reset
    await trx.updateTable('accounts').set({ password_hash: passwordHash }).where('id', '=', account_id).execute()
    await trx.deleteFrom('password_resets').where('account_id', '=', account_id).execute()
    await deleteSessionsOf(trx, account_id)
  })
}

function selectReset(db: Db, tokenHash: string) {
  return db
    .selectFrom('password_resets')
    .select('id')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', Date.now())
}
