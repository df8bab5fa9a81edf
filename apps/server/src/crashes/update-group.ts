import { ApiError, type CrashGroup, type UpdateCrashGroup } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { requireCrashGroup } from './find.ts'
import { requireGroupRow, updateGroup } from './groups-store.ts'
import { isMember } from './crash-store.ts'

/** Changes the status or the assignee of a group. @throws {ApiError} crashGroupNotFound, invalidRequest */
export async function updateCrashGroup(
  { db }: Pick<AppContext, 'db'>,
  workspaceId: number,
  id: number,
  update: UpdateCrashGroup,
): Promise<CrashGroup> {
  const group = await requireGroupRow(db, workspaceId, id)
  const { assigneeId } = update
  const resolvedInVersion = update.resolvedInVersion ?? null
  const ignoredUntil = update.ignoredUntilDate ?? null
  if (typeof assigneeId === 'number' && !(await isMember(db, workspaceId, assigneeId))) {
    throw new ApiError('invalidRequest', { faults: [{ source: '/assigneeId', detail: 'is not a member' }] })
  }
  const status = update.status ?? (resolvedInVersion !== null ? 'resolved' : ignoredUntil !== null ? 'ignored' : null)
  await updateGroup(db, id, {
    ...(assigneeId !== undefined && { assignee_id: assigneeId }),
    ...(status !== null && {
      status,
      is_regressed: 0,
      resolved_in_version: status === 'resolved' ? resolvedInVersion : null,
      // Without a version, a group counts as resolved in the last release that has had the crash.
      resolved_release_id: status === 'resolved' ? group.last_release_id : null,
      ignored_until: status === 'ignored' && ignoredUntil !== null ? Date.parse(ignoredUntil) : null,
    }),
  })
  return requireCrashGroup({ db }, workspaceId, id)
}
