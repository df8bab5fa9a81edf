import type { Updateable } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Row, Schema } from '../db/schema.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import { listGroupsById, updateGroup } from './groups-store.ts'
import { addInstall, countInstalls, readSketch, writeSketch } from '../crash-releases/install-sketch.ts'
import { findLaterBuilds, type LaterBuilds } from './fixed-builds.ts'
import { tellOfGroup } from './tell-of-group.ts'
import { compareReleases, isLaterThanVersion } from '../crash-releases/release-order.ts'
import { listReleasesById } from '../crash-releases/releases-store.ts'
import { parseJsonText, toJsonText } from '../db/json-text.ts'

/** Crashes that a group has gained. */
export interface GroupGain {
  crashes: {
    occurredAt: number
    receivedAt: number
    release: Row<'releases'>
    installId: string | null
    message: string | null
  }[]
  isNew: boolean
}

const hourMs = 60 * 60 * 1000
const weekHours = 168
/** A spike has at least this many crashes in an hour, and this many times as many as any other hour of the week. */
const spikeCount = 20
const spikeFactor = 4
/** Rules are told of the groups of an application once a minute; how long mails wait for others is theirs to say. */
const slotMs = 60_000

/** Adds crashes to the totals of their groups, and finds out which groups regressed or spike. */
export async function countInGroups(
  trx: Db,
  application: { id: number; workspaceId: number },
  gains: ReadonlyMap<number, GroupGain>,
): Promise<void> {
  const groups = await listGroupsById(trx, [...gains.keys()])
  const releaseIds = [...groups.values()].flatMap((group) => [
    group.first_release_id,
    group.last_release_id,
    group.resolved_release_id,
  ])
  const releases = await listReleasesById(
    trx,
    [...new Set(releaseIds)].filter((id) => id !== null),
  )
  const isLaterBuild = await findLaterBuilds(trx, application.id, groups.values())
  const dueTimes: number[] = []
  for (const [id, gain] of gains) {
    const group = groups.get(id)
    if (!group || gain.crashes.length === 0) continue
    const totals = toTotals(group, gain, releases)
    const values = { ...totals, ...toStatus(group, gain, { releases, isLaterBuild }, totals) }
    await updateGroup(trx, id, values)
    const type = toEventType(group, gain, values)
    if (type !== null) await tellOfGroup(trx, application, { type, group, values })
    const dueAt = gain.isNew ? group.mail_due_at : values.mail_due_at
    if (dueAt !== null && dueAt !== undefined) dueTimes.push(dueAt)
  }
  await enqueueCrashAlerts(trx, application.id, dueTimes)
}

/** Returns what hooks are told of a gain. A spike is told of when it begins. */
function toEventType(group: Row<'crash_groups'>, gain: GroupGain, values: Updateable<Schema['crash_groups']>) {
  if (gain.isNew) return 'crashGroup.created'
  if (values.mail_reason === 'regressed') return 'crashGroup.regressed'
  if (group.status === 'ignored' || group.status === 'resolved') return null
  const hour = Math.floor(Date.now() / hourMs)
  const hadSpike = hasSpike(countHours(group.hours, []), hour)
  return !hadSpike && hasSpike(countHours(group.hours, gain.crashes), hour) ? 'crashGroup.spiked' : null
}

/** Enqueues the jobs that fire rules about these groups, at most one for each minute. */
export async function enqueueCrashAlerts(trx: Db, applicationId: number, dueTimes: readonly number[]): Promise<void> {
  const slots = new Set(dueTimes.map((dueAt) => Math.ceil(dueAt / slotMs)))
  await enqueueJobs(
    trx,
    [...slots].map((slot) => ({
      kind: 'mail-crashes' as const,
      key: `mail-crashes:${applicationId}:${slot}`,
      payload: { applicationId },
      runAt: slot * slotMs,
    })),
  )
}

function toTotals(group: Row<'crash_groups'>, { crashes }: GroupGain, releases: ReadonlyMap<number, Row<'releases'>>) {
  let sketch = readSketch(group.sketch)
  for (const { installId } of crashes) if (installId !== null) sketch = addInstall(sketch, installId)
  const known = [group.first_release_id, group.last_release_id].flatMap((id) => releases.get(id ?? 0) ?? [])
  const ordered = [...known, ...crashes.map(({ release }) => release)].toSorted(compareReleases)
  const times = crashes.map(({ occurredAt }) => occurredAt)
  const newest = crashes.toSorted((one, other) => other.occurredAt - one.occurredAt)[0]
  const isNewest = newest !== undefined && (group.crash_count === 0 || newest.occurredAt >= group.last_seen_at)
  // These times of a group without crashes are those of its creation, so they do not count.
  if (group.crash_count > 0) times.push(group.first_seen_at, group.last_seen_at)
  return {
    crash_count: group.crash_count + crashes.length,
    install_count: countInstalls(sketch).count,
    sketch: writeSketch(sketch),
    first_seen_at: Math.min(...times),
    last_seen_at: Math.max(...times),
    first_release_id: ordered[0]?.id ?? null,
    last_release_id: ordered.at(-1)?.id ?? null,
    redirect_id: null,
    ...(isNewest && newest.message !== null && { message: newest.message }),
  }
}

function toStatus(
  group: Row<'crash_groups'>,
  { crashes }: GroupGain,
  { releases, isLaterBuild }: { releases: ReadonlyMap<number, Row<'releases'>>; isLaterBuild: LaterBuilds },
  totals: { crash_count: number; install_count: number },
): Updateable<Schema['crash_groups']> {
  const hours = countHours(group.hours, crashes)
  const base = { hours: toJsonText(Object.fromEntries(hours)) }
  const now = Date.now()
  if (group.status === 'resolved') {
    const isBack = crashes.some((crash) => {
      return (
        isRegression(group, crash.release, releases) ||
        (isOfFixedVersion(group, crash) && isLaterBuild(group, crash.release))
      )
    })
    if (!isBack && group.is_still_crashing === 0 && crashes.some((crash) => isOfFixedVersion(group, crash))) {
      return { ...base, is_still_crashing: 1, mail_reason: 'still crashing', mail_due_at: now }
    }
    return isBack ? { ...base, ...regressed, mail_due_at: now } : base
  }
  const isIgnored = group.status === 'ignored' && isStillIgnored(group, totals, now)
  if (isIgnored) return base
  return group.status === 'ignored' ? { ...base, ...noLongerIgnored } : base
}

const regressed = {
  status: 'open' as const,
  is_regressed: 1,
  is_still_crashing: 0,
  mail_reason: 'regressed' as const,
}

const noLongerIgnored = {
  status: 'open' as const,
  ignored_until: null,
  ignored_until_crashes: null,
  ignored_until_installs: null,
}

function isStillIgnored(
  group: Row<'crash_groups'>,
  totals: { crash_count: number; install_count: number },
  now: number,
): boolean {
  const { ignored_until: until, ignored_until_crashes: crashes, ignored_until_installs: installs } = group
  if (crashes !== null && totals.crash_count >= crashes) return false
  if (installs !== null && totals.install_count >= installs) return false
  return until === null || until > now
}

/**
 * Whether the version that was to resolve the group crashes itself. Devices of testers may have had builds of that
 * version before the fix, so this alone does not open the group.
 */
function isOfFixedVersion(
  { resolved_in_version: version, resolved_at: resolvedAt }: Row<'crash_groups'>,
  { release, occurredAt }: GroupGain['crashes'][number],
): boolean {
  if (version === null || (resolvedAt !== null && occurredAt < resolvedAt)) return false
  return release.version === version || release.short_version === version
}

function isRegression(
  group: Row<'crash_groups'>,
  release: Row<'releases'>,
  releases: ReadonlyMap<number, Row<'releases'>>,
): boolean {
  // The update of a resolved group always writes when it was resolved into `resolved_release_id` or the version.
  if (group.resolved_in_version !== null) {
    return isLaterThanVersion(release, group.resolved_in_version, group.last_seen_at)
  }
  const resolved = releases.get(group.resolved_release_id ?? 0)
  return resolved === undefined || compareReleases(release, resolved) > 0
}

function countHours(text: Row<'crash_groups'>['hours'], crashes: GroupGain['crashes']): Map<number, number> {
  const oldest = Math.floor(Date.now() / hourMs) - weekHours
  const before = text === null ? {} : parseJsonText(text)
  const hours = new Map(Object.entries(before).map(([hour, count]) => [Number(hour), count]))
  for (const { receivedAt } of crashes) {
    const hour = Math.floor(receivedAt / hourMs)
    hours.set(hour, (hours.get(hour) ?? 0) + 1)
  }
  return new Map([...hours].filter(([hour]) => hour >= oldest))
}

function hasSpike(hours: ReadonlyMap<number, number>, hour: number): boolean {
  const count = hours.get(hour) ?? 0
  const others = [...hours].filter(([other]) => other !== hour).map(([, other]) => other)
  return others.length > 0 && count >= spikeCount && count >= spikeFactor * Math.max(...others)
}
