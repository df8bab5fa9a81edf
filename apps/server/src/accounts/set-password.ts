import type { Db } from '../db/open.ts'
import { revokeAccess, updateAccountRow } from './store.ts'

/**
 * Sets the password of an account. Whoever knew the old one is out: all sessions end, but the one that is named, and
 * the links to a new password are void.
 */
export async function setPassword(
  trx: Db,
  accountId: number,
  passwordHash: string,
  keptSessionId?: number,
): Promise<void> {
  await updateAccountRow(trx, accountId, { password_hash: passwordHash })
  await revokeAccess(trx, accountId, keptSessionId)
}
