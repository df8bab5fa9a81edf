import { type Account, ApiError, type UpdateAccount } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { type Guard, isRightPassword } from '../passwords/guard.ts'
import { type AccountRow, toAccount } from './account.ts'
import { setPassword } from './set-password.ts'
import { updateAccountRow } from './store.ts'
import { transact } from '../db/transact.ts'

/**
 * Changes the name, the password, or both. A new password ends all other sessions of the account.
 *
 * @throws {ApiError} invalidRequest when the current password is wrong; tooManyRequests
 */
export async function updateAccount(
  { db, guard }: Pick<AppContext, 'db' | 'guard'>,
  { account, sessionId }: { account: AccountRow; sessionId: number },
  { name, password }: UpdateAccount,
  address: string,
): Promise<Account> {
  const passwordHash = password && (await changePassword(guard, account, password, address))
  await transact(db, async (trx) => {
    if (name !== undefined) await updateAccountRow(trx, account.id, { name })
    if (passwordHash !== undefined) await setPassword(trx, account.id, passwordHash, sessionId)
  })
  return toAccount({ ...account, ...(name !== undefined && { name }) })
}

async function changePassword(
  guard: Guard,
  account: AccountRow,
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
