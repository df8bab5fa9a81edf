import { buildCommand } from '@stricli/core'
import type { ApplicationOverview } from '@fairlead/client'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, requiredAppFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireApplication } from '../../lookups/application.ts'
import { writeTable } from '../../output/table.ts'
import { formatBytes, formatBytesChange, formatInstant } from '../../output/units.ts'
import { writeFields, writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly app: string
}

export const command = buildCommand<Flags, [], CliContext>({
  docs: { brief: 'Show whether an application is healthy, and what is new' },
  parameters: { flags: { app: requiredAppFlag, ...remoteFlags } },
  func(flags) {
    return showOverview(this.io, flags)
  },
})

async function showOverview(io: Io, flags: Flags): Promise<void> {
  const { client } = await openSession(io, flags)
  const { id } = await requireApplication(io, client, flags.app)
  const overview = await client.applications.getOverview(id, { signal: io.signal })
  writeResult(io, flags.json, overview, () => writeOverview(io, overview))
}

function writeOverview(io: Io, overview: ApplicationOverview): void {
  const { newestBuild: build, stability, newCrashGroups, missingSymbols, tests } = overview
  writeFields(io, [
    ['Newest build', build && `${build.shortVersion} (${build.version}), ${formatInstant(build.uploadedDate)}`],
    ['Install page', build && build.installUrl],
    ['Size', build && toSizeText(build)],
    ['Tests of the build', build && toVerdictText(build)],
    ['Crash-free sessions', toPercent(stability.crashFreeRate)],
    ['New crash groups', toCount(newCrashGroups.count)],
    ['Failing tests', toCount(tests.failingCount)],
    ['Newly flaky tests', toCount(tests.flakyCount)],
    ['Missing symbols', missingSymbols.map(toMissingText).join(', ')],
  ])
  if (stability.releases.length > 0) {
    writeLine(io)
    writeTable(io, stability.releases, [
      { title: 'VERSION', value: ({ shortVersion, version }) => `${shortVersion ?? ''} (${version ?? ''})` },
      { title: 'SESSIONS', value: ({ startedCount }) => startedCount, align: 'right' },
      { title: 'CRASH-FREE', value: ({ crashFreeRate }) => toPercent(crashFreeRate), align: 'right' },
      { title: 'ADOPTION', value: ({ adoptionRate }) => toPercent(adoptionRate), align: 'right' },
    ])
  }
  if (newCrashGroups.worst.length > 0) {
    writeLine(io)
    writeTable(io, newCrashGroups.worst, [
      { title: 'GROUP', value: ({ id }) => id, align: 'right' },
      { title: 'CRASHES', value: ({ crashCount }) => crashCount, align: 'right' },
      { title: 'INSTALLS', value: ({ installCount }) => installCount, align: 'right' },
      { title: 'FIRST', value: ({ firstSeenDate }) => formatInstant(firstSeenDate) },
      { title: 'TITLE', value: ({ title }) => title },
    ])
  }
}

function toSizeText({ size, sizeChange }: { size: number; sizeChange: number | null }): string {
  return sizeChange === null ? formatBytes(size) : `${formatBytes(size)} (${formatBytesChange(sizeChange)})`
}

function toVerdictText({ verdict, verdictReasons }: NonNullable<ApplicationOverview['newestBuild']>): string | null {
  const reasons = verdictReasons.map(({ detail }) => detail).join(', ')
  return verdict === null || reasons === '' ? verdict : `${verdict}: ${reasons}`
}

function toPercent(rate: number | null): string | null {
  return rate === null ? null : `${(Math.floor(rate * 10_000) / 100).toFixed(2)} %`
}

/** The server counts up to a hundred. */
function toCount(count: number): string {
  return count >= 100 ? '100 or more' : String(count)
}

function toMissingText(missing: ApplicationOverview['missingSymbols'][number]): string {
  const { name, shortVersion, version, crashCount } = missing
  const what = shortVersion === null ? (name ?? missing.kind) : `${shortVersion} (${version ?? ''})`
  return `${what} for ${crashCount} crashes`
}
