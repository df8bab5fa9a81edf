import type { Insertable, Updateable } from 'kysely'
import { toEmailKey } from '../db/email-key.ts'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import type { AccountRow } from './account.ts'

export async function findAccountRow(db: Db, id: number): Promise<AccountRow | undefined> {
  return db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function findAccountRowByEmail(db: Db, email: string): Promise<AccountRow | undefined> {
  return db.selectFrom('accounts').selectAll().where('email_key', '=', toEmailKey(email)).executeTakeFirst()
}

export async function findAnyAccount(db: Db): Promise<{ id: number } | undefined> {
  return db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()
}

export async function insertAccount(db: Db, values: Insertable<Schema['accounts']>): Promise<AccountRow> {
  return db.insertInto('accounts').values(values).returningAll().executeTakeFirstOrThrow()
}

export async function updateAccountRow(trx: Db, id: number, values: Updateable<Schema['accounts']>): Promise<void> {
  await trx.updateTable('accounts').set(values).where('id', '=', id).execute()
}

/** Deletes the sessions of an account, except the given one, and its password resets. */
export async function revokeAccess(trx: Db, accountId: number, keptSessionId?: number): Promise<void> {
  let sessions = trx.deleteFrom('sessions').where('account_id', '=', accountId)
  if (keptSessionId !== undefined) sessions = sessions.where('id', '!=', keptSessionId)
  await sessions.execute()
  await trx.deleteFrom('password_resets').where('account_id', '=', accountId).execute()
}

/** Deletes the identities that wait for the proof of an account. */
export async function deletePendingLinks(trx: Db, accountId: number): Promise<void> {
  await trx.deleteFrom('pending_links').where('account_id', '=', accountId).execute()
}
