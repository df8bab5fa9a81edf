/** Stores new crashes by their stacks, and the stacks that are new with them. */
import { toJsonText } from '../db/json-text.ts'
import type { Db } from '../db/open.ts'
import { deleteOldReports, insertCrash, insertReport } from './counters-store.ts'
import { countInGroups, type GroupGain } from '../crash-groups/count-in-groups.ts'
import { countInStack } from './count-in-stack.ts'
import { findSymbols, type FoundSymbols, type SymbolsOwner } from '../crash-stacks/find-symbols.ts'
import { requireGroupOf } from '../crash-groups/group-of-stack.ts'
import type { NewCrash } from './list-new-crashes.ts'
import type { NewStack } from '../crash-stacks/new-stack.ts'
import { overflowHash } from './overflow-stack.ts'
import type { ReadBatch } from './read-batch.ts'
import {
  enqueueReread,
  findStackHeads,
  insertStack,
  markStack,
  replaceWaits,
  type StackHead,
} from '../crash-stacks/stacks-store.ts'

/** The most reports of a group that are kept besides the first one of each stack. */
const keptReports = 50

export async function storeStacks(
  trx: Db,
  application: SymbolsOwner & { workspaceId: number },
  batch: ReadBatch,
  crashes: readonly NewCrash[],
  drop: (reason: string) => void,
): Promise<void> {
  const hashOf = ({ crash }: NewCrash) => (batch.newStacks.has(crash.stack.hash) ? crash.stack.hash : undefined)
  const heads = await findStackHeads(trx, application.id, [
    ...new Set([...crashes.map(({ crash }) => crash.stack.hash), overflowHash]),
  ])
  const gains = new Map<number, GroupGain>()
  const toStackHash = (crash: NewCrash) =>
    heads.has(crash.crash.stack.hash) ? crash.crash.stack.hash : (hashOf(crash) ?? overflowHash)
  for (const [hash, ofStack] of Map.groupBy(crashes, toStackHash)) {
    const shared = hash === overflowHash
    if (shared) for (const _crash of ofStack) drop('stacks over the daily limit')
    const head = heads.get(hash) ?? (await addStack(trx, application, hash, batch.newStacks.get(hash), ofStack, gains))
    const gain = gains.get(head.group_id) ?? { crashes: [], isNew: false }
    gain.crashes.push(
      ...ofStack.map(({ crash, ...rest }) => ({ ...rest, installId: crash.installId, message: crash.message })),
    )
    gains.set(head.group_id, gain)
    await addToStack(trx, application.id, head, ofStack)
  }
  await countInGroups(trx, application, gains)
  for (const groupId of gains.keys()) await deleteOldReports(trx, groupId, keptReports)
}

async function addStack(
  trx: Db,
  application: SymbolsOwner,
  hash: string,
  stack: NewStack | undefined,
  crashes: readonly NewCrash[],
  gains: Map<number, GroupGain>,
): Promise<StackHead> {
  const [first] = crashes
  if (!stack || !first) throw new Error('A crash has a stack that was not read.')
  const now = Date.now()
  const kind = hash === overflowHash ? 'crash' : first.crash.kind
  const group = await requireGroupOf(trx, { applicationId: application.id, kind, stack: stack.packed, now })
  if (group.isNew) gains.set(group.id, { crashes: [], isNew: true })
  const head = await insertStack(trx, {
    application_id: application.id,
    hash,
    group_id: group.id,
    key_hash: stack.packed.keyHash,
    content: stack.packed.content,
    resolved: stack.packed.resolved,
    first_seen_at: first.occurredAt,
    last_seen_at: first.occurredAt,
    created_at: now,
  })
  const owner = { applicationId: application.id, releaseId: first.release.id }
  await replaceWaits(trx, owner, head.id, stack.found.refs)
  // Symbols that were committed while the stack was being resolved could not mark it, because it was not stored yet.
  const [current] = await findSymbols(trx, application, [stack.needs])
  if (!current || toText(current) !== toText(stack.found)) {
    await markStack(trx, head.id)
    await enqueueReread(trx)
  }
  return head
}

/** All that was found counts: an obfuscation map, or another file for the same id, changes no reference. */
function toText({ lookups, mapping, dartMaps, sourceMaps, refs }: FoundSymbols): string {
  return JSON.stringify([[...lookups], mapping, dartMaps, [...sourceMaps], refs])
}

async function addToStack(
  trx: Db,
  applicationId: number,
  head: StackHead,
  crashes: readonly NewCrash[],
): Promise<void> {
  let firstCrashId = head.first_crash_id
  for (const { crash, occurredAt, receivedAt, release } of crashes) {
    const id = await insertCrash(trx, {
      application_id: applicationId,
      stack_id: head.id,
      source: crash.source,
      source_id: crash.sourceId,
      kind: crash.kind,
      is_fatal: crash.isFatal ? 1 : 0,
      occurred_at: occurredAt,
      received_at: receivedAt,
      release_id: release.id,
      device_model: crash.deviceModel,
      os_name: crash.osName,
      os_version: crash.osVersion,
      install_id: crash.installId,
      platform: crash.platform,
      tags: Object.keys(crash.tags).length === 0 ? null : toJsonText(crash.tags),
    })
    const isFirst = firstCrashId === null
    firstCrashId ??= id
    await insertReport(trx, { crash_id: id, stack_id: head.id, is_first: isFirst ? 1 : 0, body: crash.report })
  }
  await countInStack(trx, applicationId, head, crashes, firstCrashId)
}
