import type { Insertable } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'

export async function insertPasswordReset(trx: Db, values: Insertable<Schema['password_resets']>): Promise<void> {
  await trx.insertInto('password_resets').values(values).execute()
}

/** Returns whether the token belongs to a password reset that is still valid. */
export async function hasPasswordReset(db: Db, tokenHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('password_resets')
    .select('id')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', Date.now())
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes a valid password reset and returns its account. Only one of two concurrent requests gets it. */
export async function takePasswordReset(trx: Db, tokenHash: string): Promise<{ account_id: number } | undefined> {
  return trx
    .deleteFrom('password_resets')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', Date.now())
    .returning('account_id')
    .executeTakeFirst()
}
