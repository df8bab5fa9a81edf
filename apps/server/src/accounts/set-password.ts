import type { Db } from '../db/open.ts'
import { revokeAccess, updateAccountRow } from './store.ts'

/**
 * Sets the password of an account, ends all its sessions except the given one, and voids its password-reset links,
 * because the old password may have leaked.
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
