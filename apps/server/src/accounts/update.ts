import { type Account, ApiError, type UpdateAccount } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { SignedIn } from '../sessions/session.ts'
import { deleteSessionsOf } from '../sessions/store.ts'
import { toAccount } from './account.ts'
import { type Guard, isRightPassword } from './guard.ts'

/**
 * Changes the name, the password, or both. A new password ends all other sessions of the account.
 *
 * @throws {ApiError} invalidRequest when the current password is wrong; tooManyRequests
 */
export async function updateAccount(
  { db, guard }: Pick<AppContext, 'db'> & { guard: Guard },
  { account, sessionId }: SignedIn,
  { name, password }: UpdateAccount,
  address: string,
): Promise<Account> {
  const passwordHash = password && (await changePassword(guard, account, password, address))
  const values = { ...(name !== undefined && { name }), ...(passwordHash && { password_hash: passwordHash }) }
  if (Object.keys(values).length > 0) {
    await db.transaction().execute(async (trx) => {
      await trx.updateTable('accounts').set(values).where('id', '=', account.id).execute()
      if (!passwordHash) return
      await deleteSessionsOf(trx, account.id, sessionId)
      await trx.deleteFrom('password_resets').where('account_id', '=', account.id).execute()
    })
  }
  return toAccount({ ...account, ...values })
}

async function changePassword(
  guard: Guard,
  account: SignedIn['account'],
  { current, next }: NonNullable<UpdateAccount['password']>,
  address: string,
): Promise<string> {
  if (!(await isRightPassword(guard, { email: account.email, password: current, account, address }))) {
    throw new ApiError('invalidRequest', {
      detail: 'The current password is wrong',
      faults: [{ source: '/password/current', detail: 'is wrong' }],
    })
  }
  return guard.passwords.hash(next)
}
