import type { Client } from '@fairlead/client'
import type { Io } from '../io.ts'
import { formatInstant } from '../output/units.ts'
import { writeFields } from '../output/write.ts'

export type CrashGroup = Awaited<ReturnType<Client['crashes']['getGroup']>>

export function writeCrashGroup(io: Io, group: CrashGroup): void {
  const about = group.isInstallCountApproximate ? 'about ' : ''
  writeFields(io, [
    ['Group', `${group.id}, ${group.kind}, ${toStatus(group)}`],
    ['Title', group.title],
    ['Place', group.culprit],
    ['Crashes', `${group.crashCount} on ${about}${group.installCount} installs`],
    ['First', `${formatInstant(group.firstSeenDate)}${inVersion(group.firstRelease)}`],
    ['Last', `${formatInstant(group.lastSeenDate)}${inVersion(group.lastRelease)}`],
    ['Assignee', group.assignee?.name ?? null],
  ])
}

function toStatus({ status, isRegressed, resolvedInVersion, ignoredUntilDate }: CrashGroup): string {
  if (isRegressed) return `${status}, came back`
  if (status === 'resolved' && resolvedInVersion !== null) return `resolved in ${resolvedInVersion}`
  if (status === 'ignored' && ignoredUntilDate !== null) return `ignored until ${formatInstant(ignoredUntilDate)}`
  return status
}

function inVersion(release: CrashGroup['firstRelease']): string {
  const version = release?.shortVersion ?? release?.version
  return version === null || version === undefined ? '' : ` in ${version}`
}
