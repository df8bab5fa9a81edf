import type { Role } from '@fairlead/contract'
import type { Insertable } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Row, Schema } from '../db/schema.ts'

export type LoginRow = Row<'login_requests'>

export async function insertLogin(db: Db, values: Insertable<Schema['login_requests']>): Promise<void> {
  await db.insertInto('login_requests').values(values).execute()
}

/** Counts the logins that have not expired. */
export async function countLogins(db: Db, now: number): Promise<number> {
  const { count } = await db
    .selectFrom('login_requests')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return count
}

export async function deleteLoginsBefore(db: Db, expiredBefore: number): Promise<void> {
  await db.deleteFrom('login_requests').where('expires_at', '<=', expiredBefore).execute()
}

export async function findByDeviceCode(db: Db, hash: string): Promise<LoginRow | undefined> {
  return db.selectFrom('login_requests').selectAll().where('device_code_hash', '=', hash).executeTakeFirst()
}

export async function findWaiting(db: Db, userCodeHash: string, now: number): Promise<LoginRow | undefined> {
  return db
    .selectFrom('login_requests')
    .selectAll()
    .where('user_code_hash', '=', userCodeHash)
    .where('state', '=', 'waiting')
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

export async function updatePolling(
  db: Db,
  id: number,
  values: { interval_ms: number; next_poll_at: number },
): Promise<void> {
  await db.updateTable('login_requests').set(values).where('id', '=', id).execute()
}

interface Decision {
  state: 'approved' | 'refused'
  account_id: number
  workspace_id?: number
  role?: Role
  token_expires_at?: number | null
}

/** Decides a login that waits. Only one of two concurrent requests gets its row. */
export async function decide(
  db: Db,
  userCodeHash: string,
  now: number,
  decision: Decision,
): Promise<LoginRow | undefined> {
  return db
    .updateTable('login_requests')
    .set(decision)
    .where('user_code_hash', '=', userCodeHash)
    .where('state', '=', 'waiting')
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
}

/** Deletes an approved login. Only one of two concurrent requests gets its row. */
export async function takeApproved(trx: Db, id: number): Promise<LoginRow | undefined> {
  return trx
    .deleteFrom('login_requests')
    .where('id', '=', id)
    .where('state', '=', 'approved')
    .returningAll()
    .executeTakeFirst()
}

/** Returns the role of an account that is not disabled in a workspace, and its name. */
export async function findApprover(
  trx: Db,
  accountId: number,
  workspaceId: number,
): Promise<{ role: Role; name: string } | undefined> {
  return trx
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .select(['members.role', 'accounts.name'])
    .where('members.workspace_id', '=', workspaceId)
    .where('members.account_id', '=', accountId)
    .where('accounts.disabled_at', 'is', null)
    .executeTakeFirst()
}
