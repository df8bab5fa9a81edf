import { ApiError, type DistributionGroup, type SaveDistributionGroup } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { isUniqueViolation } from '../db/unique.ts'
import { requireGroup, toDistributionGroup } from './distribution-group.ts'
import { toNameKey } from './name-key.ts'

type Context = Pick<AppContext, 'db'>

/** @throws {ApiError} groupNameTaken */
export async function createGroup(
  context: Context,
  workspaceId: number,
  { name }: SaveDistributionGroup,
): Promise<DistributionGroup> {
  const { id } = await naming(
    context.db
      .insertInto('distribution_groups')
      .values({ workspace_id: workspaceId, name, name_key: toNameKey(name), created_at: Date.now() })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
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
  await naming(
    context.db
      .updateTable('distribution_groups')
      .set({ name, name_key: toNameKey(name) })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .execute(),
  )
  return toDistributionGroup(await requireGroup(context, workspaceId, id))
}

/** Deletes a group. Its builds remain, and its testers keep their other groups. */
export async function removeGroup({ db }: Context, workspaceId: number, id: number): Promise<void> {
  const deleted = await db
    .deleteFrom('distribution_groups')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (!deleted) throw new ApiError('distributionGroupNotFound')
}

async function naming<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write
  } catch (error) {
    throw isUniqueViolation(error) ? new ApiError('groupNameTaken', { cause: error }) : error
  }
}
