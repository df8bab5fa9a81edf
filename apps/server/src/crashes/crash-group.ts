import type { CrashGroup, CrashRelease } from '@fairlead/contract'
import type { Row } from '../db/schema.ts'
import { toInstant, toInstantOrNull } from '../http/instant.ts'
import { countInstalls, readSketch } from './install-sketch.ts'

export type GroupRecord = Row<'crash_groups'> & { assignee_name: string | null; assignee_email: string | null }

export function toCrashGroup(group: GroupRecord, releases: ReadonlyMap<number, Row<'releases'>>): CrashGroup {
  const { assignee_id: assigneeId, assignee_name: name, assignee_email: email } = group
  return {
    id: group.id,
    applicationId: group.application_id,
    kind: group.kind,
    status: toStatus(group),
    title: group.title,
    culprit: group.culprit,
    // `describe` wrote these lists.
    exceptionTypes: JSON.parse(group.exception_types) as CrashGroup['exceptionTypes'],
    key: JSON.parse(group.key) as CrashGroup['key'],
    skippedFrames: JSON.parse(group.skipped_frames) as CrashGroup['skippedFrames'],
    crashCount: group.crash_count,
    installCount: group.install_count,
    isInstallCountApproximate: countInstalls(readSketch(group.sketch)).isApproximate,
    firstSeenDate: toInstant(group.first_seen_at),
    lastSeenDate: toInstant(group.last_seen_at),
    firstRelease: toReleaseOrNull(releases.get(group.first_release_id ?? 0)),
    lastRelease: toReleaseOrNull(releases.get(group.last_release_id ?? 0)),
    isRegressed: group.is_regressed === 1,
    resolvedInVersion: group.resolved_in_version,
    ignoredUntilDate: toInstantOrNull(group.ignored_until),
    assignee: assigneeId === null ? null : { id: assigneeId, name: name ?? '', email: email ?? '' },
  }
}

/** A group that was ignored until a time is open again after it. */
function toStatus({ status, ignored_until: until }: Row<'crash_groups'>): CrashGroup['status'] {
  return status === 'ignored' && until !== null && until <= Date.now() ? 'open' : status
}

export function toRelease(row: Pick<Row<'releases'>, 'package' | 'short_version' | 'version'>): CrashRelease {
  return { package: row.package || null, shortVersion: row.short_version || null, version: row.version || null }
}

function toReleaseOrNull(row: Row<'releases'> | undefined): CrashRelease | null {
  if (!row || (row.package === '' && row.short_version === '' && row.version === '')) return null
  return toRelease(row)
}
