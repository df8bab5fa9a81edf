import { ApiError } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { requireGroup } from '../distribution-groups/distribution-group.ts'

/** Removes a tester from one group. */
export async function removeFromGroup(
  context: Pick<AppContext, 'db'>,
  workspaceId: number,
  groupId: number,
  testerId: number,
): Promise<void> {
  await requireGroup(context, workspaceId, groupId)
  const removed = await context.db
    .deleteFrom('group_testers')
    .where('group_id', '=', groupId)
    .where('tester_id', '=', testerId)
    .returning('tester_id')
    .executeTakeFirst()
  if (!removed) throw new ApiError('testerNotFound')
}

/** Deletes a tester from the workspace and all groups; their installs remain in the counts without a name. */
export async function removeTester({ db }: Pick<AppContext, 'db'>, workspaceId: number, id: number): Promise<void> {
  const removed = await db
    .deleteFrom('testers')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (!removed) throw new ApiError('testerNotFound')
}
