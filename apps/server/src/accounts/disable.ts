import type { Db } from '../db/open.ts'
import { deletePendingLinks, findAccountRow, revokeAccess, updateAccountRow } from './store.ts'

/**
 * Disables an account, which ends all its sessions, or enables it again. Returns whether that changed anything;
 * undefined when there is no such account.
 */
export async function setDisabled(trx: Db, accountId: number, isDisabled: boolean): Promise<boolean | undefined> {
  const account = await findAccountRow(trx, accountId)
  if (!account) return undefined
  if ((account.disabled_at !== null) === isDisabled) return false
  await updateAccountRow(trx, accountId, { disabled_at: isDisabled ? Date.now() : null })
  if (isDisabled) {
    await revokeAccess(trx, accountId)
    await deletePendingLinks(trx, accountId)
  }
  return true
}
