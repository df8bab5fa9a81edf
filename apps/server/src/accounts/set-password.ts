import type { Db } from '../db/open.ts'
import { revokeAccess, updateAccountRow } from './store.ts'

/**
 * Sets the password of an account. Everyone who used the old one is signed out, except the given session, and unused
 * password resets stop working.
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
