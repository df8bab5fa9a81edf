import { ApiError, type Member, type UpdateMember } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { listRolesByGroup } from './group-role-store.ts'
import { highestRole } from './highest-role.ts'
import { type MemberRecord, toMember } from './member.ts'
import {
  closeAccountWithoutWorkspace,
  countAdmins,
  deleteMember,
  findMember,
  lockMembers,
  updateMemberRow,
} from './store.ts'
import { transact } from '../db/transact.ts'

type Context = Pick<AppContext, 'db'>

/**
 * Gives a member another role by hand. A group of a provider may give a higher one, which only the group takes away.
 *
 * @throws {ApiError} memberNotFound, lastAdmin, roleOfGroup
 */
export async function updateMember(
  { db }: Context,
  workspaceId: number,
  accountId: number,
  { role }: UpdateMember,
): Promise<Member> {
  return transact(db, async (trx) => {
    const member = await requireMember(trx, workspaceId, accountId)
    if (role !== 'admin') await keepAnAdmin(trx, workspaceId, member)
    const fromGroups = await listRolesByGroup(trx, workspaceId, accountId)
    if (highestRole([role, ...fromGroups]) !== role) {
      const detail = `A group of the provider gives this member the role ${highestRole(fromGroups)}`
      throw new ApiError('roleOfGroup', { detail })
    }
    await updateMemberRow(trx, workspaceId, accountId, { role, hand_role: role })
    return toMember({ ...member, role, hand_role: role })
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

/** Ends the sessions of an account that is a member of no workspace any more. */
export async function closeIfWithoutWorkspace(trx: Db, accountId: number): Promise<void> {
  await closeAccountWithoutWorkspace(trx, accountId)
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
