import type { Insertable } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'

export async function insertPasswordReset(trx: Db, values: Insertable<Schema['password_resets']>): Promise<void> {
  await trx.insertInto('password_resets').values(values).execute()
}

/** Whether there is one that can still be redeemed. */
export async function hasPasswordReset(db: Db, tokenHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('password_resets')
    .select('id')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', Date.now())
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes one that can still be redeemed: of two who come at once, one gets the account it is for. */
export async function takePasswordReset(trx: Db, tokenHash: string): Promise<{ account_id: number } | undefined> {
  return trx
    .deleteFrom('password_resets')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', Date.now())
    .returning('account_id')
    .executeTakeFirst()
}
