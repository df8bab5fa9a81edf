import { ApiError, type DistributionGroup, type SaveDistributionGroup } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { isUniqueViolation } from '../db/unique.ts'
import { toDistributionGroup } from './distribution-group.ts'
import { requireGroup } from './find.ts'
import { deleteGroup, insertGroup, updateGroupName } from './store.ts'

type Context = Pick<AppContext, 'db'>

/** @throws {ApiError} groupNameTaken */
export async function createGroup(
  context: Context,
  workspaceId: number,
  { name }: SaveDistributionGroup,
): Promise<DistributionGroup> {
  const id = await naming(insertGroup(context.db, workspaceId, name))
  return toDistributionGroup(await requireGroup(context, workspaceId, id))
}

/** @throws {ApiError} distributionGroupNotFound, groupNameTaken */
export async function renameGroup(
  context: Context,
  workspaceId: number,
  id: number,
  { name }: SaveDistributionGroup,
): Promise<DistributionGroup> {
  await requireGroup(context, workspaceId, id)
  await naming(updateGroupName(context.db, workspaceId, id, name))
  return toDistributionGroup(await requireGroup(context, workspaceId, id))
}

/** Deletes a group. Its builds remain, and its testers keep their other groups. */
export async function removeGroup({ db }: Context, workspaceId: number, id: number): Promise<void> {
  if (!(await deleteGroup(db, workspaceId, id))) throw new ApiError('distributionGroupNotFound')
}

async function naming<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write
  } catch (error) {
    throw isUniqueViolation(error) ? new ApiError('groupNameTaken', { cause: error }) : error
  }
}
