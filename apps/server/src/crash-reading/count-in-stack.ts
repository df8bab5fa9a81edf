import type { Db } from '../db/open.ts'
import { toDay } from '../crash-releases/clock.ts'
import {
  addDay,
  addSessions,
  addValue,
  countTagValues,
  findSketch,
  raiseValue,
  saveSketch,
  updateStackTotals,
} from './counters-store.ts'
import { addInstall, readSketch, writeSketch } from '../crash-releases/install-sketch.ts'
import type { NewCrash } from './list-new-crashes.ts'
import { compareReleases } from '../crash-releases/release-order.ts'
import { listReleasesById } from '../crash-releases/releases-store.ts'
import type { StackHead } from '../crash-stacks/stacks-store.ts'

/** Adds crashes to the totals of their stack: days, systems, devices, installs, and first and last releases. */
export async function countInStack(
  trx: Db,
  applicationId: number,
  head: StackHead,
  crashes: readonly NewCrash[],
  firstCrashId: number | null,
): Promise<void> {
  for (const [releaseId, ofRelease] of Map.groupBy(crashes, ({ release }) => release.id)) {
    for (const [day, ofDay] of Map.groupBy(ofRelease, ({ occurredAt }) => toDay(occurredAt))) {
      await addDay(trx, { stack_id: head.id, release_id: releaseId, day, count: ofDay.length })
      // A release without sessions has a row as well, whose crash-free rate is not known.
      const none = { started_count: 0, crashed_count: 0 }
      await addSessions(trx, { application_id: applicationId, release_id: releaseId, day, ...none })
    }
  }
  const os = ({ crash }: NewCrash) => [crash.osName, crash.osVersion].filter((part) => part !== null).join(' ')
  for (const [value, count] of countBy(crashes, os)) {
    await addValue(trx, { stack_id: head.id, kind: 'os', value, count })
  }
  for (const [value, count] of countBy(crashes, ({ crash }) => crash.deviceModel ?? '')) {
    await addValue(trx, { stack_id: head.id, kind: 'device', value, count })
  }
  await countTags(trx, head.id, crashes)
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

/** Tags may have as many values as there are crashes, so a stack counts no more than the first ones. */
const maxTagValues = 1000

async function countTags(trx: Db, stackId: number, crashes: readonly NewCrash[]): Promise<void> {
  const tags = crashes.flatMap(({ crash }) => Object.entries(crash.tags).map(([key, value]) => `${key}:${value}`))
  if (tags.length === 0) return
  let free = maxTagValues - (await countTagValues(trx, stackId))
  for (const [value, count] of countBy(tags, (tag) => tag)) {
    const values = { stack_id: stackId, kind: 'tag' as const, value, count }
    const isCounted = free > 0 ? await addValue(trx, values).then(() => true) : await raiseValue(trx, values)
    if (isCounted) free--
  }
}

function countBy<Item>(items: readonly Item[], toKey: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(toKey(item), (counts.get(toKey(item)) ?? 0) + 1)
  return counts
}
