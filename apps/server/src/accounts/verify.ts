import type { Db } from '../db/open.ts'
import type { AccountRow } from './account.ts'
import { setPassword } from './set-password.ts'
import { findAccountRow, updateAccountRow } from './store.ts'

/** Records that the owner of the e-mail address followed the link of a mail. */
export async function verifyAccount(trx: Db, accountId: number): Promise<void> {
  await updateAccountRow(trx, accountId, { verified_at: Date.now() })
}

/**
 * Gives an account that was never verified to the owner of its e-mail address: the password is theirs, and whoever used
 * the account before is signed out.
 */
export async function takeOverAccount(
  trx: Db,
  accountId: number,
  { name, passwordHash }: { name: string; passwordHash: string },
): Promise<AccountRow> {
  await setPassword(trx, accountId, passwordHash)
  await updateAccountRow(trx, accountId, { name })
  await verifyAccount(trx, accountId)
  const account = await findAccountRow(trx, accountId)
  if (!account) throw new Error(`the account ${accountId} was deleted while it was taken over`)
  return account
}
