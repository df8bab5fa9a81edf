import { ApiError } from '@fairlead/contract'
import { toEmailKey } from '../db/email-key.ts'
import type { Db } from '../db/open.ts'
import { isUniqueViolation } from '../db/unique.ts'
import type { AccountRow } from './account.ts'
import { insertAccount } from './store.ts'

export interface NewAccount {
  email: string
  name: string
  passwordHash: string
  /** Whether the person has proved to own the e-mail address. */
  isVerified: boolean
  isServerAdmin?: boolean
}

/**
 * Creates an account.
 *
 * @throws {ApiError} emailTaken
 */
export async function createAccount(
  trx: Db,
  { email, name, passwordHash, isVerified, isServerAdmin = false }: NewAccount,
): Promise<AccountRow> {
  const now = Date.now()
  const values = {
    email,
    email_key: toEmailKey(email),
    name,
    password_hash: passwordHash,
    verified_at: isVerified ? now : null,
    is_server_admin: isServerAdmin ? 1 : 0,
    created_at: now,
  }
  try {
    return await insertAccount(trx, values)
  } catch (error) {
    throw isUniqueViolation(error) ? new ApiError('emailTaken', { cause: error }) : error
  }
}
