import { ApiError, type CrashGroup, type UpdateCrashGroup, type UpdateCrashGroups } from '@fairlead/contract'
import type { Updateable } from 'kysely'
import type { AppContext } from '../context.ts'
import type { Row, Schema } from '../db/schema.ts'
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
  if (typeof assigneeId === 'number' && !(await isMember(db, workspaceId, assigneeId))) {
    throw new ApiError('invalidRequest', { faults: [{ source: '/assigneeId', detail: 'is not a member' }] })
  }
  await updateGroup(db, id, toColumns(group, update))
  return requireCrashGroup({ db }, workspaceId, id)
}

/** The columns that an update of a group changes. A change of the status removes the marks that it does not name. */
export function toColumns(
  group: Row<'crash_groups'>,
  update: UpdateCrashGroup & Pick<UpdateCrashGroups, 'isRegressed' | 'isStillCrashing'>,
): Updateable<Schema['crash_groups']> {
  const { assigneeId, ignoredUntilCount, trackerUrl } = update
  const resolvedInVersion = update.resolvedInVersion ?? null
  const ignoredUntil = update.ignoredUntilDate ?? null
  const isIgnored = ignoredUntil !== null || ignoredUntilCount !== undefined
  const status = update.status ?? (resolvedInVersion !== null ? 'resolved' : isIgnored ? 'ignored' : null)
  const { crashes, installs } = (status === 'ignored' ? ignoredUntilCount : undefined) ?? {}
  return {
    ...(assigneeId !== undefined && { assignee_id: assigneeId }),
    ...(trackerUrl !== undefined && { tracker_url: trackerUrl }),
    ...(status !== null && {
      status,
      is_regressed: status === 'open' && update.isRegressed ? 1 : 0,
      is_still_crashing: status === 'resolved' && update.isStillCrashing ? 1 : 0,
      resolved_at: status === 'resolved' ? Date.now() : null,
      resolved_in_version: status === 'resolved' ? resolvedInVersion : null,
      // Without a version, a group counts as resolved in the last release that has had the crash.
      resolved_release_id: status === 'resolved' ? group.last_release_id : null,
      ignored_until: status === 'ignored' && ignoredUntil !== null ? Date.parse(ignoredUntil) : null,
      ignored_until_crashes: crashes === undefined ? null : group.crash_count + crashes,
      ignored_until_installs: installs === undefined ? null : group.install_count + installs,
    }),
  }
}
