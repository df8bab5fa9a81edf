import { ApiError } from '@fairlead/contract'
import { toEmailKey } from '../db/email-key.ts'
import type { Db } from '../db/open.ts'
import { isUniqueViolation } from '../db/unique.ts'
import type { AccountRow } from './account.ts'
import { insertAccount } from './store.ts'

/**
 * Creates an account.
 *
 * @throws {ApiError} emailTaken
 */
export async function createAccount(
  trx: Db,
  { email, name, passwordHash }: { email: string; name: string; passwordHash: string },
): Promise<AccountRow> {
  const values = { email, email_key: toEmailKey(email), name, password_hash: passwordHash, created_at: Date.now() }
  try {
    return await insertAccount(trx, values)
  } catch (error) {
    throw isUniqueViolation(error) ? new ApiError('emailTaken', { cause: error }) : error
  }
}
