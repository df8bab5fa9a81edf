import { listNeeds, type PackedStack, type StackContent, unpackJson } from '@fairlead/crashes'
import { requireAt } from '@fairlead/invariant'
import type { AppContext } from '../context.ts'
import { toJsonText } from '../db/json-text.ts'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import type { JobHandler } from '../jobs/job.ts'
import { findApplicationOfCrashes } from '../crash-stacks/application-store.ts'
import { enqueueCrashAlerts } from '../crash-groups/count-in-groups.ts'
import { findSymbols, type FoundSymbols } from '../crash-stacks/find-symbols.ts'
import { requireNextGroup } from '../crash-groups/group-of-stack.ts'
import { listGroupsById, updateGroup } from '../crash-groups/groups-store.ts'
import { unmarkLasting } from '../crash-groups/lasting-store.ts'
import { resolveStacks } from '../crash-stacks/resolve-stacks.ts'
import { findFrameOwner } from '../crash-stacks/frame-owner.ts'
import {
  listStaleApplications,
  listStaleStacks,
  lockApplication,
  replaceWaits,
  updateResolved,
} from '../crash-stacks/stacks-store.ts'
import { sumGroup } from '../crash-groups/sum-group.ts'

type Context = Pick<AppContext, 'db' | 'blobs' | 'readers' | 'config' | 'jobs'>

/** How many stacks one transaction stores. */
const batchSize = 200

interface RereadStack {
  stack: Row<'crash_stacks'>
  found: FoundSymbols
  packed: PackedStack
  kind: StackContent['kind']
}

/**
 * Reads stacks again after an upload of their symbols or a change of the rules of their application. A stack moves to
 * the group of its new key with all its counters, so the work grows with the stacks and not with the crashes.
 */
export function createStackRereader(context: Context): JobHandler<'reread-crashes'> {
  return {
    isRecurring: true,
    async run(_payload, signal) {
      for (;;) {
        const waiting = await listStaleApplications(context.db)
        if (waiting.length === 0) return undefined
        for (const applicationId of waiting) {
          if (signal.aborted) return Date.now()
          await rereadOldest(context, applicationId)
        }
      }
    },
  }
}

async function rereadOldest(context: Context, applicationId: number): Promise<void> {
  const { db, config, jobs } = context
  const application = await findApplicationOfCrashes(db, applicationId)
  if (!application) return
  const stacks = await listStaleStacks(db, applicationId, batchSize)
  const contents = stacks.map(({ content }) => unpackJson<StackContent>(content))
  const found = await findSymbols(db, application, contents.map(listNeeds))
  const withSymbols = stacks.map(({ content }, place) => ({ content, found: requireAt(found, place) }))
  const resolved = await resolveStacks(context, withSymbols, await findFrameOwner(db, application))
  const engine = config.databaseUrl === null ? 'sqlite' : 'postgres'
  await db.transaction().execute(async (trx) => {
    await lockApplication(trx, engine, applicationId)
    const read = stacks.flatMap((stack, place): RereadStack[] => {
      const packed = resolved[place]
      const kind = requireAt(contents, place).kind
      return packed ? [{ stack, found: requireAt(found, place), packed, kind }] : []
    })
    await storeRead(trx, applicationId, read)
    // A stack that costs too much stays as it was read before.
    const unread = stacks.filter((_stack, place) => resolved[place] === undefined)
    for (const { id, is_stale, resolved, key_hash, group_id } of unread) {
      await updateResolved(trx, { id, is_stale }, { resolved, key_hash, group_id })
    }
  })
  jobs.wake()
}

/** The same frames may belong to others now. A group whose stacks came from other groups keeps the words of its own. */
async function renewCulprit(trx: Db, group: Row<'crash_groups'>, { key }: PackedStack): Promise<void> {
  if (toJsonText(key.lines) !== group.key || key.culprit === group.culprit) return
  const { culprit, skippedFrames } = key
  await updateGroup(trx, group.id, { culprit, skipped_frames: toJsonText(skippedFrames) })
}

async function storeRead(trx: Db, applicationId: number, read: readonly RereadStack[]): Promise<void> {
  /** Maps the id of a group to the id of the group that its last stack moved to. */
  const movedTo = new Map<number, number>()
  /** The ids of the groups that stacks moved to; the stacks of one group may move to several. */
  const gaining = new Set<number>()
  const moved: number[] = []
  const groups = await listGroupsById(trx, [...new Set(read.map(({ stack }) => stack.group_id))])
  for (const { stack, found, packed, kind } of read) {
    const group = groups.get(stack.group_id)
    if (!group) continue
    const isMoving = stack.pinned_group_id === null && packed.keyHash !== stack.key_hash
    const seed = { applicationId, kind, stack: packed, now: Date.now() }
    const groupId = isMoving ? await requireNextGroup(trx, seed, { keyHash: stack.key_hash, group }) : stack.group_id
    const values = { resolved: packed.resolved, key_hash: packed.keyHash, group_id: groupId }
    // A stack that was marked again meanwhile is read once more.
    if (!(await updateResolved(trx, stack, values))) continue
    await replaceWaits(trx, { applicationId, releaseId: stack.first_release_id }, stack.id, found.refs)
    if (groupId === stack.group_id) {
      await renewCulprit(trx, group, packed)
      continue
    }
    moved.push(stack.id)
    movedTo.set(stack.group_id, groupId)
    gaining.add(groupId)
  }
  await unmarkLasting(trx, moved)
  for (const id of gaining) await sumGroup(trx, id)
  for (const [from, to] of movedTo) {
    const isLeft = await sumGroup(trx, from)
    if (!isLeft) await updateGroup(trx, from, { redirect_id: to, mail_reason: null, mail_due_at: null })
  }
  const gained = await listGroupsById(trx, [...gaining])
  await enqueueCrashAlerts(
    trx,
    applicationId,
    [...gained.values()].flatMap(({ mail_due_at }) => mail_due_at ?? []),
  )
}
