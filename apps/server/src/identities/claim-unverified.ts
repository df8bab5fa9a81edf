import type { AccountRow } from '../accounts/account.ts'
import { takeOverAccount } from '../accounts/verify.ts'
import type { Db } from '../db/open.ts'
import { removeTwoFactor } from '../two-factor/remove.ts'
import { deleteIdentitiesOf } from './store.ts'

/**
 * Gives an account that was never verified to the owner of its e-mail address. Somebody else may have made it, so all
 * other ways in are removed: password, second factor, other identities, sessions.
 */
export async function claimUnverified(trx: Db, account: AccountRow): Promise<void> {
  await deleteIdentitiesOf(trx, account.id)
  await removeTwoFactor(trx, account.id)
  await takeOverAccount(trx, account.id, { name: account.name, passwordHash: '' })
}
