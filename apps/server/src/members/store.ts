import type { Insertable, Updateable } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import type { MemberRecord } from './member.ts'

function selectMembers(db: Db, workspaceId: number) {
  return db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .select(['members.account_id', 'accounts.email', 'accounts.name', 'accounts.verified_at', 'accounts.disabled_at'])
    .select(['members.role', 'members.hand_role', 'members.created_at'])
    .where('members.workspace_id', '=', workspaceId)
}

export async function listMembers(db: Db, workspaceId: number): Promise<MemberRecord[]> {
  return selectMembers(db, workspaceId)
    .orderBy('members.created_at', 'desc')
    .orderBy('members.account_id', 'desc')
    .execute()
}

export async function findMember(db: Db, workspaceId: number, accountId: number): Promise<MemberRecord | undefined> {
  return selectMembers(db, workspaceId).where('members.account_id', '=', accountId).executeTakeFirst()
}

export async function countAdmins(db: Db, workspaceId: number): Promise<number> {
  const { count } = await db
    .selectFrom('members')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'admin')
    .executeTakeFirstOrThrow()
  return count
}

/** Inserts a member unless the account already is one. Returns whether it did. */
export async function insertMember(trx: Db, values: Insertable<Schema['members']>): Promise<boolean> {
  const inserted = await trx
    .insertInto('members')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .returning('account_id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Changes the role of a member, the one that a person gave, or both. */
export async function updateMemberRow(
  trx: Db,
  workspaceId: number,
  accountId: number,
  values: Updateable<Schema['members']>,
): Promise<void> {
  await trx
    .updateTable('members')
    .set(values)
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .execute()
}

/** Keeps other transactions from changing the members of a workspace until this one ends. */
export async function lockMembers(trx: Db, workspaceId: number): Promise<void> {
  // Updating the row locks it on both databases.
  await trx
    .updateTable('workspaces')
    .set((update) => ({ name: update.ref('name') }))
    .where('id', '=', workspaceId)
    .execute()
}

/** Deletes a member, and the roles that groups gave. */
export async function deleteMember(trx: Db, workspaceId: number, accountId: number): Promise<void> {
  await trx
    .deleteFrom('member_group_roles')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .execute()
  await trx.deleteFrom('members').where('workspace_id', '=', workspaceId).where('account_id', '=', accountId).execute()
}

/**
 * Ends the sessions and password resets of an account that is a member of no workspace any more. An administrator of
 * the server keeps them.
 */
export async function closeAccountWithoutWorkspace(trx: Db, accountId: number): Promise<void> {
  const open = await trx
    .selectFrom('accounts')
    .leftJoin('members', 'members.account_id', 'accounts.id')
    .select('accounts.id')
    .where('accounts.id', '=', accountId)
    .where((where) => where.or([where('members.account_id', 'is not', null), where('is_server_admin', '=', 1)]))
    .limit(1)
    .executeTakeFirst()
  if (open) return
  await trx.deleteFrom('sessions').where('account_id', '=', accountId).execute()
  await trx.deleteFrom('password_resets').where('account_id', '=', accountId).execute()
}
