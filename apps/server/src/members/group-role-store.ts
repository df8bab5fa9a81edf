import type { GroupRole, Role } from '@fairlead/contract'
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'

export async function listGroupRoleRows(db: Db, workspaceId: number): Promise<GroupRole[]> {
  return db
    .selectFrom('group_roles')
    .select(['provider', 'group_name as group', 'role'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('position')
    .execute()
}

export async function replaceGroupRoleRows(trx: Db, workspaceId: number, list: readonly GroupRole[]): Promise<void> {
  await trx.deleteFrom('group_roles').where('workspace_id', '=', workspaceId).execute()
  if (list.length === 0) return
  const rows = list.map(({ provider, group, role }, position) => ({
    workspace_id: workspaceId,
    position,
    provider,
    group_name: group,
    role,
  }))
  await trx.insertInto('group_roles').values(rows).execute()
}

/** Lists the roles that these groups of a provider give, in all workspaces. */
export async function listRolesOfGroups(
  db: Db,
  provider: string,
  groups: string[],
): Promise<{ workspace_id: number; role: Role }[]> {
  return selectInBatches(groups, (batch) =>
    db
      .selectFrom('group_roles')
      .select(['workspace_id', 'role'])
      .where('provider', '=', provider)
      .where('group_name', 'in', batch)
      .execute(),
  )
}

/** Lists the roles that groups of any provider gave to a member. */
export async function listRolesByGroup(db: Db, workspaceId: number, accountId: number): Promise<Role[]> {
  const rows = await db
    .selectFrom('member_group_roles')
    .select('role')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .execute()
  return rows.map(({ role }) => role)
}

/** Lists the roles that groups of a provider gave to an account at its last sign-in. */
export async function listRolesByProvider(
  db: Db,
  accountId: number,
  provider: string,
): Promise<{ workspace_id: number; role: Role }[]> {
  return db
    .selectFrom('member_group_roles')
    .select(['workspace_id', 'role'])
    .where('account_id', '=', accountId)
    .where('provider', '=', provider)
    .execute()
}

interface Key {
  workspaceId: number
  accountId: number
  provider: string
}

/** Sets the role that groups give; undefined takes it away. */
export async function setRoleByGroup(
  trx: Db,
  { workspaceId, accountId, provider }: Key,
  role: Role | undefined,
): Promise<void> {
  await trx
    .deleteFrom('member_group_roles')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('provider', '=', provider)
    .execute()
  if (role === undefined) return
  await trx
    .insertInto('member_group_roles')
    .values({ workspace_id: workspaceId, account_id: accountId, provider, role })
    .execute()
}
