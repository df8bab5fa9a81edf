import type { CrashGroup, UpdateCrashGroups } from '@fairlead/contract'

/** The fields that one request changes in all chosen groups. */
export type BulkUpdate = Pick<UpdateCrashGroups, 'status' | 'assigneeId'>

/**
 * The updates that make groups again what they were before an update. None for groups that were ignored until they had
 * a number of crashes or installs: that number would be counted from now on.
 */
export function toReversals(before: readonly CrashGroup[], { status }: BulkUpdate): UpdateCrashGroups[] {
  if (status !== undefined && before.some(({ ignoredUntilCount }) => ignoredUntilCount !== null)) return []
  const updates = new Map<string, UpdateCrashGroups & { groupIds: number[] }>()
  for (const group of before) {
    const earlier = status === undefined ? { assigneeId: group.assignee?.id ?? null } : toStatus(group)
    const key = JSON.stringify(earlier)
    const known = updates.get(key)
    if (known) known.groupIds.push(group.id)
    else updates.set(key, { ...earlier, groupIds: [group.id] })
  }
  return [...updates.values()]
}

function toStatus(group: CrashGroup): Omit<UpdateCrashGroups, 'groupIds'> {
  const { status, resolvedInVersion, ignoredUntilDate, isRegressed, isStillCrashing } = group
  if (status === 'resolved') return { status, resolvedInVersion, isStillCrashing }
  return status === 'ignored' ? { status, ignoredUntilDate } : { status, isRegressed }
}
