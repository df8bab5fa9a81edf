import type { PackedStack } from '@fairlead/crashes'
import type { CrashKind } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { findGroupOfKey, insertGroup, insertGroupKey, updateGroup } from './groups-store.ts'
import { toJsonText } from '../db/json-text.ts'

/** How long rules about a new group wait, so that its symbols can come first. */
const newGroupDelayMs = 10 * 60_000

export interface GroupSeed {
  applicationId: number
  kind: CrashKind
  stack: PackedStack
  now: number
}

/** Finds the group of a key, or creates it. Alert rules are told of a group that was created. */
export async function requireGroupOf(trx: Db, seed: GroupSeed): Promise<{ id: number; isNew: boolean }> {
  const { applicationId, stack, now } = seed
  const known = await findGroupOfKey(trx, applicationId, stack.keyHash)
  if (known) return { id: known.group_id, isNew: false }
  const id = await insertGroup(trx, { ...describe(seed), mail_reason: 'new', mail_due_at: now + newGroupDelayMs })
  await insertGroupKey(trx, { application_id: applicationId, key_hash: stack.keyHash, group_id: id })
  return { id, isNew: true }
}

/**
 * Finds the group for a stack whose key has changed. A group that is created for it inherits from the group before and
 * fires no rule by itself. If somebody merged the old key into a group by hand, the new key leads to that group too.
 */
export async function requireNextGroup(
  trx: Db,
  seed: GroupSeed,
  before: { keyHash: string; group: Row<'crash_groups'> },
): Promise<number> {
  const { applicationId, stack } = seed
  const known = await findGroupOfKey(trx, applicationId, stack.keyHash)
  if (known) return known.group_id
  const old = await findGroupOfKey(trx, applicationId, before.keyHash)
  if (old?.is_manual === 1) {
    const row = { application_id: applicationId, key_hash: stack.keyHash, group_id: old.group_id, is_manual: 1 }
    await insertGroupKey(trx, row)
    const { title, culprit, key, exception_types, skipped_frames } = describe(seed)
    await updateGroup(trx, old.group_id, { title, culprit, key, exception_types, skipped_frames })
    return old.group_id
  }
  const { group } = before
  const id = await insertGroup(trx, {
    ...describe(seed),
    status: group.status,
    is_regressed: group.is_regressed,
    resolved_in_version: group.resolved_in_version,
    resolved_release_id: group.resolved_release_id,
    ignored_until: group.ignored_until,
    assignee_id: group.assignee_id,
    mail_reason: group.mail_reason,
    mail_due_at: group.mail_due_at,
    mailed_at: group.mailed_at,
    hours: group.hours,
  })
  await insertGroupKey(trx, { application_id: applicationId, key_hash: stack.keyHash, group_id: id })
  return id
}

/** The columns of an open group without crashes. */
function describe({ applicationId, kind, stack, now }: GroupSeed) {
  const { key, exceptionTypes } = stack
  return {
    application_id: applicationId,
    kind,
    title: key.title,
    culprit: key.culprit,
    exception_types: toJsonText(exceptionTypes.slice(0, 20)),
    key: toJsonText(key.lines),
    skipped_frames: toJsonText(key.skippedFrames),
    status: 'open' as const,
    first_seen_at: now,
    last_seen_at: now,
    created_at: now,
  }
}
