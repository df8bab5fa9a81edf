import { ApiError } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { Row } from '../db/schema.ts'
import type { GroupRecord } from './distribution-group.ts'
import { findGroup, listGroupRowsById, listGroupRowsByName } from './store.ts'

/** @throws {ApiError} distributionGroupNotFound */
export async function requireGroup(
  { db }: Pick<AppContext, 'db'>,
  workspaceId: number,
  id: number,
): Promise<GroupRecord> {
  const group = await findGroup(db, workspaceId, id)
  if (!group) throw new ApiError('distributionGroupNotFound')
  return group
}

/** Lists the groups with these ids; unknown ids are left out. */
export async function listGroupsById(
  { db }: Pick<AppContext, 'db'>,
  workspaceId: number,
  ids: number[],
): Promise<Row<'distribution_groups'>[]> {
  return listGroupRowsById(db, workspaceId, ids)
}

/** Lists the groups with these names, ignoring case; unknown names are left out. */
export async function listGroupsByName(
  { db }: Pick<AppContext, 'db'>,
  workspaceId: number,
  names: string[],
): Promise<Row<'distribution_groups'>[]> {
  return listGroupRowsByName(db, workspaceId, names)
}
