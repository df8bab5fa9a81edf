import { ApiError, type RedeemPasswordReset } from '@fairlead/contract'
import { hashSecret } from '../secrets/hash-secret.ts'
import { setPassword } from '../accounts/set-password.ts'
import type { AppContext } from '../context.ts'
import { hasPasswordReset, takePasswordReset } from './store.ts'
import { transact } from '../db/transact.ts'

/**
 * Sets a new password with a one-time link, ends all sessions of the account and voids its other links.
 *
 * @throws {ApiError} passwordResetNotFound
 */
export async function redeemPasswordReset(
  { db, guard }: Pick<AppContext, 'db' | 'guard'>,
  { token, password }: RedeemPasswordReset,
): Promise<void> {
  const tokenHash = hashSecret(token)
  if (!(await hasPasswordReset(db, tokenHash))) throw new ApiError('passwordResetNotFound')
  const passwordHash = await guard.passwords.hash(password)
  await transact(db, async (trx) => {
    const reset = await takePasswordReset(trx, tokenHash)
    if (!reset) throw new ApiError('passwordResetNotFound')
    await setPassword(trx, reset.account_id, passwordHash)
  })
}
