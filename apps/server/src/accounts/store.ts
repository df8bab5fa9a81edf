import { ApiError } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import { isUniqueViolation } from '../db/unique.ts'
import { toEmailKey } from '../db/email-key.ts'
import type { AccountRow } from './account.ts'

export async function findAccountByEmail(db: Db, email: string): Promise<AccountRow | undefined> {
  return db.selectFrom('accounts').selectAll().where('email_key', '=', toEmailKey(email)).executeTakeFirst()
}

/** @throws {ApiError} emailTaken */
export async function insertAccount(
  db: Db,
  { email, name, passwordHash }: { email: string; name: string; passwordHash: string },
): Promise<AccountRow> {
  try {
    return await db
      .insertInto('accounts')
      .values({ email, email_key: toEmailKey(email), name, password_hash: passwordHash, created_at: Date.now() })
      .returningAll()
      .executeTakeFirstOrThrow()
  } catch (error) {
    throw isUniqueViolation(error) ? new ApiError('emailTaken', { cause: error }) : error
  }
}
