import { buildCommand, numberParser } from '@stricli/core'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, requiredAppFlag, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireApplication } from '../../lookups/application.ts'
import { toVersion } from '../../output/build.ts'
import { writeTable } from '../../output/table.ts'
import { formatBytes, formatInstant } from '../../output/units.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly app: string
  readonly group?: string
  readonly branch?: string
  readonly search?: string
  readonly limit: number
}

export const command = buildCommand<Flags, [], CliContext>({
  docs: { brief: 'List the builds of an application, newest first' },
  parameters: {
    flags: {
      app: requiredAppFlag,
      group: textFlag('Only builds that this distribution group has', 'name'),
      branch: textFlag('Only builds of this branch', 'branch'),
      search: textFlag('Only builds with this text in versions, branch, commit or notes', 'text'),
      limit: {
        kind: 'parsed',
        parse: numberParser,
        brief: 'Number of items, 1 to 200',
        placeholder: 'n',
        default: '20',
      },
      ...remoteFlags,
    },
  },
  func(flags) {
    return listBuilds(this.io, flags)
  },
})

async function listBuilds(io: Io, flags: Flags): Promise<void> {
  const { app, group, branch, search, limit } = flags
  if (!Number.isInteger(limit) || limit < 1 || limit > 200) {
    throw new CliError('usage', '--limit takes a number from 1 to 200')
  }
  const { client } = await openSession(io, flags)
  const application = await requireApplication(io, client, app)
  const query = { limit, distributionGroupName: group, branch, q: search }
  const { items } = await client.builds.listPage(application.id, query, { signal: io.signal })
  writeResult(io, flags.json, items, () =>
    writeTable(io, items, [
      { title: 'ID', value: ({ id }) => id, align: 'right' },
      { title: 'VERSION', value: toVersion },
      { title: 'SIZE', value: ({ size }) => formatBytes(size), align: 'right' },
      { title: 'UPLOADED', value: ({ uploadedDate }) => formatInstant(uploadedDate) },
      { title: 'BRANCH', value: ({ source }) => source?.branch ?? null },
      { title: 'GROUPS', value: ({ distributionGroups }) => distributionGroups.map(({ name }) => name).join(', ') },
      { title: 'INSTALLS', value: ({ installCount }) => installCount, align: 'right' },
    ]),
  )
}
