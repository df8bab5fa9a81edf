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

/** Those of the groups that are there. */
export async function listGroupsById(
  { db }: Pick<AppContext, 'db'>,
  workspaceId: number,
  ids: number[],
): Promise<Row<'distribution_groups'>[]> {
  return listGroupRowsById(db, workspaceId, ids)
}

/** Those of the groups that are there; their names are compared without case. */
export async function listGroupsByName(
  { db }: Pick<AppContext, 'db'>,
  workspaceId: number,
  names: string[],
): Promise<Row<'distribution_groups'>[]> {
  return listGroupRowsByName(db, workspaceId, names)
}
