import { ApiError } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { requireGroup } from '../distribution-groups/find.ts'
import { deleteGroupTester, deleteTester } from './store.ts'

/** Removes a tester from one group. */
export async function removeFromGroup(
  context: Pick<AppContext, 'db'>,
  workspaceId: number,
  groupId: number,
  testerId: number,
): Promise<void> {
  await requireGroup(context, workspaceId, groupId)
  if (!(await deleteGroupTester(context.db, groupId, testerId))) throw new ApiError('testerNotFound')
}

/** Deletes a tester from the workspace and all groups; their installs remain in the counts without a name. */
export async function removeTester({ db }: Pick<AppContext, 'db'>, workspaceId: number, id: number): Promise<void> {
  if (!(await deleteTester(db, workspaceId, id))) throw new ApiError('testerNotFound')
}
