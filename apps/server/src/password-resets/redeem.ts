import { ApiError, type RedeemPasswordReset } from '@fairlead/contract'
import { hashSecret } from '../secrets/hash-secret.ts'
import type { AccountRow } from '../accounts/account.ts'
import { findAccount } from '../accounts/find.ts'
import { verifyAccount } from '../accounts/verify.ts'
import { removeTwoFactor } from '../two-factor/remove.ts'
import { setPassword } from '../accounts/set-password.ts'
import type { AppContext } from '../context.ts'
import { hasPasswordReset, takePasswordReset } from './store.ts'
import { transact } from '../db/transact.ts'

/**
 * Sets a new password with a one-time link, ends all sessions of the account and voids its other links. The account is
 * verified from then on, because the link came by mail.
 *
 * @throws {ApiError} passwordResetNotFound
 */
export async function redeemPasswordReset(
  { db, guard }: Pick<AppContext, 'db' | 'guard'>,
  { token, password }: RedeemPasswordReset,
): Promise<AccountRow> {
  const tokenHash = hashSecret(token)
  if (!(await hasPasswordReset(db, tokenHash))) throw new ApiError('passwordResetNotFound')
  const passwordHash = await guard.passwords.hash(password)
  return transact(db, async (trx) => {
    const reset = await takePasswordReset(trx, tokenHash)
    if (!reset) throw new ApiError('passwordResetNotFound')
    await setPassword(trx, reset.account_id, passwordHash)
    const account = await findAccount({ db: trx }, reset.account_id)
    if (!account) throw new ApiError('passwordResetNotFound')
    if (account.verified_at === null) {
      // Nobody had proved to own the e-mail address before, so the second factor may be a stranger's.
      await removeTwoFactor(trx, account.id)
      await verifyAccount(trx, account.id)
    }
    return account
  })
}
