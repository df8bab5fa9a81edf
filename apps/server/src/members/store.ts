import type { Db } from '../db/open.ts'
import type { MemberRecord } from './member.ts'

function selectMembers(db: Db, workspaceId: number) {
  return db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .select(['members.account_id', 'accounts.email', 'accounts.name', 'members.role', 'members.created_at'])
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
