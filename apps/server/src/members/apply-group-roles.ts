import type { Role } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import { listRolesByGroup, listRolesByProvider, listRolesOfGroups, setRoleByGroup } from './group-role-store.ts'
import { highestRole } from './highest-role.ts'
import { deleteMember, findMember, insertMember, lockMembers, updateMemberRow } from './store.ts'

/** A member whose role changed; null before they joined, and after they left. */
export interface RoleChange {
  workspaceId: number
  before: Role | null
  after: Role | null
}

/**
 * Gives an account the roles that its groups of a provider have in each workspace, and takes away those of groups that
 * it has left, even from the last administrator. Roles that a person gave, and those of other providers, stay.
 */
export async function applyGroupRoles(
  trx: Db,
  accountId: number,
  provider: string,
  groups: string[],
): Promise<RoleChange[]> {
  const wanted = await findGroupRoles(trx, provider, groups)
  const had = await listRolesByProvider(trx, accountId, provider)
  const changed = new Map<number, Role | undefined>(wanted)
  for (const { workspace_id: id, role } of had) {
    if (wanted.get(id) === role) changed.delete(id)
    else if (!wanted.has(id)) changed.set(id, undefined)
  }
  const changes: RoleChange[] = []
  // Locks are taken in one order, so that two sign-ins do not wait for each other.
  for (const [workspaceId, role] of [...changed].toSorted(([a], [b]) => a - b)) {
    await lockMembers(trx, workspaceId)
    await setRoleByGroup(trx, { workspaceId, accountId, provider }, role)
    const change = await sumUpRoles(trx, workspaceId, accountId)
    if (change.before !== change.after) changes.push(change)
  }
  return changes
}

/** Returns the highest role that these groups of a provider have in each workspace. */
export async function findGroupRoles(db: Db, provider: string, groups: string[]): Promise<Map<number, Role>> {
  const found = new Map<number, Role>()
  for (const { workspace_id: id, role } of await listRolesOfGroups(db, provider, groups)) {
    found.set(id, highestRole([role, found.get(id) ?? role]) ?? role)
  }
  return found
}

async function sumUpRoles(trx: Db, workspaceId: number, accountId: number): Promise<RoleChange> {
  const member = await findMember(trx, workspaceId, accountId)
  const byHand = member?.hand_role ?? null
  const fromGroups = await listRolesByGroup(trx, workspaceId, accountId)
  const after = highestRole(byHand === null ? fromGroups : [byHand, ...fromGroups]) ?? null
  const change = { workspaceId, before: member?.role ?? null, after }
  if (after === null) await deleteMember(trx, workspaceId, accountId)
  else if (member) await updateMemberRow(trx, workspaceId, accountId, { role: after })
  else {
    const values = { workspace_id: workspaceId, account_id: accountId, created_at: Date.now() }
    await insertMember(trx, { ...values, role: after, hand_role: null })
  }
  return change
}
