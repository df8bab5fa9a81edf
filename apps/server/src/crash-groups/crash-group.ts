import type { CrashGroup, CrashRelease } from '@fairlead/contract'
import type { Row } from '../db/schema.ts'
import { toInstant, toInstantOrNull } from '../http/instant.ts'
import { countInstalls, readSketch } from '../crash-releases/install-sketch.ts'
import { parseJsonText } from '../db/json-text.ts'

export type GroupRecord = Row<'crash_groups'> & { assignee_name: string | null; assignee_email: string | null }

/** Facts of a group that are counted or looked up for a list, beside the group's own row. */
export interface GroupFacts {
  environments: string[]
  commentCount: number
  trend: number[]
  missingSymbols: string[]
  /** The counts of the environment that the list is filtered by. */
  counts?: { crashCount: number; installCount: number; isApproximate: boolean } | undefined
}

export function toCrashGroup(
  group: GroupRecord,
  releases: ReadonlyMap<number, Row<'releases'>>,
  facts: GroupFacts,
): CrashGroup {
  const { assignee_id: assigneeId, assignee_name: name, assignee_email: email } = group
  return {
    id: group.id,
    applicationId: group.application_id,
    kind: group.kind,
    status: toStatus(group),
    title: group.title,
    culprit: group.culprit,
    exceptionTypes: parseJsonText(group.exception_types),
    key: parseJsonText(group.key),
    skippedFrames: parseJsonText(group.skipped_frames),
    crashCount: facts.counts?.crashCount ?? group.crash_count,
    installCount: facts.counts?.installCount ?? group.install_count,
    isInstallCountApproximate: facts.counts?.isApproximate ?? countInstalls(readSketch(group.sketch)).isApproximate,
    firstSeenDate: toInstant(group.first_seen_at),
    lastSeenDate: toInstant(group.last_seen_at),
    firstRelease: toReleaseOrNull(releases.get(group.first_release_id ?? 0)),
    lastRelease: toReleaseOrNull(releases.get(group.last_release_id ?? 0)),
    isRegressed: group.is_regressed === 1,
    resolvedInVersion: group.resolved_in_version,
    ignoredUntilDate: toInstantOrNull(group.ignored_until),
    assignee: assigneeId === null ? null : { id: assigneeId, name: name ?? '', email: email ?? '' },
    environments: facts.environments,
    message: group.message,
    isStillCrashing: group.is_still_crashing === 1,
    ignoredUntilCount: toIgnoredCount(group),
    trackerUrl: group.tracker_url,
    commentCount: facts.commentCount,
    trend: facts.trend,
    missingSymbols: facts.missingSymbols,
  }
}

function toIgnoredCount({ ignored_until_crashes: crashes, ignored_until_installs: installs }: Row<'crash_groups'>) {
  return crashes === null && installs === null ? null : { crashes, installs }
}

/** A group that was ignored until a time is open again after it. */
function toStatus({ status, ignored_until: until }: Row<'crash_groups'>): CrashGroup['status'] {
  return status === 'ignored' && until !== null && until <= Date.now() ? 'open' : status
}

export function toRelease(row: Pick<Row<'releases'>, 'package' | 'short_version' | 'version'>): CrashRelease {
  return { package: row.package || null, shortVersion: row.short_version || null, version: row.version || null }
}

export function toReleaseOrNull(row: Row<'releases'> | undefined): CrashRelease | null {
  if (!row || (row.package === '' && row.short_version === '' && row.version === '')) return null
  return toRelease(row)
}
