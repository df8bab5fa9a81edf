import { ApiError, type UpdateCrashGroups } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { isMember } from './crash-store.ts'
import { toGroupFilter } from './group-filter.ts'
import { listGroupIds } from './group-list-store.ts'
import { listGroupsById, updateGroup } from './groups-store.ts'
import { toColumns } from './update-group.ts'

/** Changes the groups with these ids, or all that a filter finds. @throws {ApiError} invalidRequest */
export async function updateCrashGroups(
  context: Pick<AppContext, 'db' | 'signingKey'>,
  workspaceId: number,
  applicationId: number,
  { groupIds, filter, ...update }: UpdateCrashGroups,
): Promise<{ changedCount: number }> {
  const { db } = context
  const { assigneeId } = update
  if (typeof assigneeId === 'number' && !(await isMember(db, workspaceId, assigneeId))) {
    throw new ApiError('invalidRequest', { faults: [{ source: '/assigneeId', detail: 'is not a member' }] })
  }
  const ids = groupIds ?? (await listGroupIds(db, applicationId, toGroupFilter(context, applicationId, filter ?? {})))
  const groups = await listGroupsById(db, [...new Set(ids)])
  const isForeign = ids.some((id) => groups.get(id)?.application_id !== applicationId)
  if (isForeign) {
    throw new ApiError('invalidRequest', {
      faults: [{ source: '/groupIds', detail: 'must be groups of the application' }],
    })
  }
  await db.transaction().execute(async (trx) => {
    for (const group of groups.values()) await updateGroup(trx, group.id, toColumns(group, update))
  })
  return { changedCount: groups.size }
}
