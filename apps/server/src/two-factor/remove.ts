import type { Db } from '../db/open.ts'
import { deleteTwoFactor } from './store.ts'

/** Takes the second factor from an account whose rightful owner has just proved to own the e-mail address. */
export async function removeTwoFactor(trx: Db, accountId: number): Promise<void> {
  await deleteTwoFactor(trx, accountId)
}
