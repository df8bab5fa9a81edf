import { ApiError, type Member, type UpdateMember } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { type MemberRecord, toMember } from './member.ts'
import {
  closeAccountWithoutWorkspace,
  countAdmins,
  deleteMember,
  findMember,
  lockMembers,
  updateMemberRole,
} from './store.ts'
import { transact } from '../db/transact.ts'

type Context = Pick<AppContext, 'db'>

/** @throws {ApiError} memberNotFound, lastAdmin */
export async function updateMember(
  { db }: Context,
  workspaceId: number,
  accountId: number,
  { role }: UpdateMember,
): Promise<Member> {
  return transact(db, async (trx) => {
    const member = await requireMember(trx, workspaceId, accountId)
    if (role !== 'admin') await keepAnAdmin(trx, workspaceId, member)
    await updateMemberRole(trx, workspaceId, accountId, role)
    return toMember({ ...member, role })
  })
}

/**
 * Removes a member from the workspace. The account remains, but without any workspace it is closed: nobody can sign in
 * to it until another invitation is accepted.
 *
 * @throws {ApiError} memberNotFound, lastAdmin
 */
export async function removeMember({ db }: Context, workspaceId: number, accountId: number): Promise<void> {
  await transact(db, async (trx) => {
    await keepAnAdmin(trx, workspaceId, await requireMember(trx, workspaceId, accountId))
    await deleteMember(trx, workspaceId, accountId)
    await closeAccountWithoutWorkspace(trx, accountId)
  })
}

/** Reads a member while holding a lock on the workspace, so that two administrators cannot leave at the same time. */
async function requireMember(trx: Db, workspaceId: number, accountId: number): Promise<MemberRecord> {
  await lockMembers(trx, workspaceId)
  const member = await findMember(trx, workspaceId, accountId)
  if (!member) throw new ApiError('memberNotFound')
  return member
}

async function keepAnAdmin(trx: Db, workspaceId: number, member: MemberRecord): Promise<void> {
  if (member.role === 'admin' && (await countAdmins(trx, workspaceId)) === 1) throw new ApiError('lastAdmin')
}
