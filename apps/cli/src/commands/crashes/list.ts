import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, requiredAppFlag, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireApplication } from '../../lookups/application.ts'
import { writeTable } from '../../output/table.ts'
import { formatInstant } from '../../output/units.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

type Status = 'open' | 'resolved' | 'ignored'
type Order = 'lastSeen' | 'firstSeen' | 'crashes' | 'installs'

interface Flags extends RemoteFlags {
  readonly app: string
  readonly status?: Status
  readonly search?: string
  readonly release?: string
  readonly sort?: Order
}

export const command = buildCommand<Flags, [], CliContext>({
  docs: { brief: 'List the crash groups of an application' },
  parameters: {
    flags: {
      app: requiredAppFlag,
      status: {
        kind: 'enum',
        values: ['open', 'resolved', 'ignored'],
        brief: 'Only groups with this status',
        optional: true,
      },
      search: textFlag('Only groups with this text in the title or the frames', 'text'),
      release: textFlag('Only groups that this version has', 'version'),
      sort: {
        kind: 'enum',
        values: ['lastSeen', 'firstSeen', 'crashes', 'installs'],
        brief: 'Sort order',
        optional: true,
      },
      ...remoteFlags,
    },
  },
  func(flags) {
    return listGroups(this.io, flags)
  },
})

async function listGroups(io: Io, flags: Flags): Promise<void> {
  const { client } = await openSession(io, flags)
  const application = await requireApplication(io, client, flags.app)
  const { status, search: q, release: version, sort } = flags
  const groups = await client.crashes.listGroups(application.id, { status, q, version, sort })
  writeResult(io, flags.json, groups, () =>
    writeTable(io, groups, [
      { title: 'ID', value: ({ id }) => id, align: 'right' },
      { title: 'STATUS', value: ({ status: now, isRegressed }) => (isRegressed ? 'regressed' : now) },
      { title: 'CRASHES', value: ({ crashCount }) => crashCount, align: 'right' },
      { title: 'INSTALLS', value: ({ installCount }) => installCount, align: 'right' },
      { title: 'LAST', value: ({ lastSeenDate }) => formatInstant(lastSeenDate) },
      { title: 'TITLE', value: ({ title }) => title },
      { title: 'PLACE', value: ({ culprit }) => culprit },
    ]),
  )
}
