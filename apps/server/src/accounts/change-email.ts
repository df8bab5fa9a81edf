import { toEmailKey } from '../db/email-key.ts'
import type { Db } from '../db/open.ts'
import { findAccountRowByEmail, updateAccountRow } from './store.ts'

/** Changes the e-mail address of an account unless another account has it. Returns whether it did. */
export async function changeEmail(trx: Db, accountId: number, email: string): Promise<boolean> {
  const owner = await findAccountRowByEmail(trx, email)
  if (owner && owner.id !== accountId) return false
  await updateAccountRow(trx, accountId, { email, email_key: toEmailKey(email) })
  return true
}
