import { ApiError } from '@fairlead/contract'
import type { AccountRow } from '../accounts/account.ts'
import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import { findRefusal } from '../sessions/sign-in.ts'
import { deleteIdentity, listIdentityRows, lockAccount } from './store.ts'

/**
 * Unlinks an identity from its account.
 *
 * @throws {ApiError} identityNotFound; lastIdentity when nobody could sign in to the account without it
 */
export async function unlinkIdentity(
  { db, config, providers }: Pick<AppContext, 'db' | 'config' | 'providers'>,
  account: AccountRow,
  id: number,
): Promise<void> {
  await transact(db, async (trx) => {
    // Two requests at once would each leave the other's identity.
    await lockAccount(trx, account.id)
    const identities = await listIdentityRows(trx, account.id)
    if (!identities.some((identity) => identity.id === id)) throw new ApiError('identityNotFound')
    const hasPassword = account.password_hash !== '' && findRefusal(config, account) === undefined
    const others = identities.filter((identity) => identity.id !== id && providers.has(identity.provider))
    if (!hasPassword && others.length === 0) throw new ApiError('lastIdentity')
    await deleteIdentity(trx, id)
  })
}
