/** Stores what was read from deliveries, and deletes their rows, in one transaction. */
import type { PreparedCrash, ReadSession } from '@fairlead/crashes'
import type { Engine } from '../db/engine.ts'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { correctTime, toDay } from './clock.ts'
import {
  addDay,
  addSessions,
  addValue,
  deleteOldReports,
  findSessionMark,
  findSketch,
  insertCrash,
  insertReport,
  listKnownCrashes,
  saveSessionMark,
  saveSketch,
  updateStackTotals,
} from './counters-store.ts'
import { findSymbols, type SymbolsOwner } from './find-symbols.ts'
import { countInGroups, type GroupGain } from './count-in-groups.ts'
import { requireGroupOf } from './group-of-stack.ts'
import { addDrops, deleteDeliveries } from './inbox-store.ts'
import { addInstall, readSketch, writeSketch } from './install-sketch.ts'
import { overflowHash } from './overflow-stack.ts'
import type { NewStack } from './new-stack.ts'
import type { ReadBatch } from './read-batch.ts'
import { compareReleases } from './release-order.ts'
import { listReleasesById, type ReleaseName, requireRelease } from './releases-store.ts'
import { enqueueReread, findStackHeads, insertStack, lockApplication, markStack, replaceWaits } from './stacks-store.ts'
import type { StackHead } from './stacks-store.ts'

/** The most reports of a group that are kept besides the first one of each stack. */
const keptReports = 50

/** A crash that is not stored yet, with the times by our clock. */
interface NewCrash {
  crash: PreparedCrash
  occurredAt: number
  receivedAt: number
  release: Row<'releases'>
}

type Releases = (name: ReleaseName) => Promise<Row<'releases'>>

export async function storeBatch(
  trx: Db,
  engine: Engine,
  application: SymbolsOwner & { workspaceId: number },
  batch: ReadBatch,
): Promise<void> {
  const now = Date.now()
  const { id: applicationId } = application
  await lockApplication(trx, engine, applicationId)
  // Another process may have stored some of these, if it took this process for dead.
  const left = await deleteDeliveries(
    trx,
    batch.rows.map(({ row }) => row.id),
  )
  const rows = batch.rows.filter(({ row }) => left.has(row.id))
  const known = new Map<string, Row<'releases'>>()
  const releases: Releases = async (name) => {
    const key = JSON.stringify([name.package, name.shortVersion, name.version])
    const release = known.get(key) ?? (await requireRelease(trx, applicationId, name, now))
    known.set(key, release)
    return release
  }
  const drops = new Map<string, number>()
  const drop = (reason: string, count = 1) => drops.set(reason, (drops.get(reason) ?? 0) + count)
  const crashes = await listNewCrashes(trx, applicationId, rows, releases, drop)
  const counted = crashes.filter(({ crash }) => {
    const isReadable = !batch.tooCostly.has(crash.stack.hash)
    if (!isReadable) drop('unreadable')
    return isReadable
  })
  await storeCrashes(trx, application, batch, counted, drop)
  for (const { row, delivery } of rows) {
    if (!delivery) drop('unreadable')
    for (const type of delivery?.dropped ?? []) drop(type)
    for (const [reason, count] of Object.entries(delivery?.lost ?? {})) drop(`client: ${reason}`, count)
    const clock = { sentAt: delivery?.sentAt ?? null, receivedAt: row.received_at }
    for (const session of delivery?.sessions ?? []) await storeSession(trx, applicationId, session, clock, releases)
  }
  await addDrops(trx, applicationId, drops)
}

/** Lists the crashes that were not stored before, each once. */
async function listNewCrashes(
  trx: Db,
  applicationId: number,
  rows: ReadBatch['rows'],
  releases: Releases,
  drop: (reason: string) => void,
): Promise<NewCrash[]> {
  const all = rows.flatMap(({ row, delivery }) =>
    (delivery?.crashes ?? []).map((crash) => ({ crash, row, sentAt: delivery?.sentAt ?? null })),
  )
  const seen = await listKnownCrashes(
    trx,
    applicationId,
    all.map(({ crash }) => crash.sourceId),
  )
  const fresh: NewCrash[] = []
  for (const { crash, row, sentAt } of all) {
    const key = `${crash.source} ${crash.sourceId}`
    if (seen.has(key)) {
      drop('duplicate')
      continue
    }
    seen.add(key)
    const receivedAt = row.received_at
    const occurredAt = correctTime(crash.occurredAt, { sentAt, receivedAt })
    fresh.push({ crash, occurredAt, receivedAt, release: await releases(crash) })
  }
  return fresh
}

async function storeCrashes(
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
    gain.crashes.push(...ofStack.map(({ crash, ...rest }) => ({ ...rest, installId: crash.installId })))
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
  const [found] = await findSymbols(trx, application, [stack.needs])
  if (JSON.stringify(found?.refs) !== JSON.stringify(stack.found.refs)) {
    await markStack(trx, head.id)
    await enqueueReread(trx)
  }
  return head
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
    })
    const isFirst = firstCrashId === null
    firstCrashId ??= id
    await insertReport(trx, { crash_id: id, stack_id: head.id, is_first: isFirst ? 1 : 0, body: crash.report })
  }
  await countInStack(trx, applicationId, head, crashes, firstCrashId)
}

async function countInStack(
  trx: Db,
  applicationId: number,
  head: StackHead,
  crashes: readonly NewCrash[],
  firstCrashId: number | null,
): Promise<void> {
  const days = countBy(crashes, ({ release, occurredAt }) => `${release.id} ${toDay(occurredAt)}`)
  for (const [key, count] of days) {
    const [releaseId = 0, day = 0] = key.split(' ').map(Number)
    await addDay(trx, { stack_id: head.id, release_id: releaseId, day, count })
    // A release without sessions has a row as well, whose crash-free rate is not known.
    const none = { started_count: 0, crashed_count: 0 }
    await addSessions(trx, { application_id: applicationId, release_id: releaseId, day, ...none })
  }
  const os = ({ crash }: NewCrash) => [crash.osName, crash.osVersion].filter((part) => part !== null).join(' ')
  for (const [value, count] of countBy(crashes, os)) {
    await addValue(trx, { stack_id: head.id, kind: 'os', value, count })
  }
  for (const [value, count] of countBy(crashes, ({ crash }) => crash.deviceModel ?? '')) {
    await addValue(trx, { stack_id: head.id, kind: 'device', value, count })
  }
  for (const [releaseId, ofRelease] of Map.groupBy(crashes, ({ release }) => release.id)) {
    const ids = ofRelease.flatMap(({ crash }) => crash.installId ?? [])
    if (ids.length === 0) continue
    let sketch = readSketch(await findSketch(trx, head.id, releaseId))
    for (const id of ids) sketch = addInstall(sketch, id)
    await saveSketch(trx, { stack_id: head.id, release_id: releaseId, sketch: writeSketch(sketch) })
  }
  const times = crashes.map(({ occurredAt }) => occurredAt)
  const before = await listReleasesById(
    trx,
    [head.first_release_id, head.last_release_id].filter((id) => id !== null),
  )
  const ordered = [...before.values(), ...crashes.map(({ release }) => release)].toSorted(compareReleases)
  await updateStackTotals(trx, head.id, crashes.length, {
    first_seen_at: Math.min(head.first_seen_at, ...times),
    last_seen_at: Math.max(head.last_seen_at, ...times),
    first_release_id: ordered[0]?.id ?? null,
    last_release_id: ordered.at(-1)?.id ?? null,
    first_crash_id: firstCrashId,
  })
}

/** Counts the start and the crash of a session once each, however often the app sends them. */
async function storeSession(
  trx: Db,
  applicationId: number,
  session: ReadSession,
  clock: { sentAt: number | null; receivedAt: number },
  releases: Releases,
): Promise<void> {
  if (session.startedCount === 0 && session.crashedCount === 0) return
  // The reader hashes the ids of sessions, and gives one to those that have none.
  const name = session.sessionId ?? ''
  const mark = await findSessionMark(trx, applicationId, name)
  const startedCount = mark?.is_started === 1 ? 0 : session.startedCount
  const crashedCount = mark?.is_crashed === 1 ? 0 : session.crashedCount
  if (startedCount === 0 && crashedCount === 0) return
  await saveSessionMark(trx, {
    application_id: applicationId,
    session: name,
    is_started: mark?.is_started === 1 || startedCount > 0 ? 1 : 0,
    is_crashed: mark?.is_crashed === 1 || crashedCount > 0 ? 1 : 0,
    marked_at: clock.receivedAt,
  })
  const release = await releases(session)
  await addSessions(trx, {
    application_id: applicationId,
    release_id: release.id,
    day: toDay(correctTime(session.startedAt, clock)),
    started_count: startedCount,
    crashed_count: crashedCount,
  })
}

function countBy<Item>(items: readonly Item[], toKey: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(toKey(item), (counts.get(toKey(item)) ?? 0) + 1)
  return counts
}
