import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeTable } from '../../output/table.ts'
import { formatInstant } from '../../output/units.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [], CliContext>({
  docs: { brief: 'List the applications' },
  parameters: { flags: remoteFlags },
  func(flags) {
    return listApplications(this.io, flags)
  },
})

async function listApplications(io: Io, flags: RemoteFlags): Promise<void> {
  const { client } = await openSession(io, flags)
  const applications = await client.applications.list({ signal: io.signal })
  writeResult(io, flags.json, applications, () =>
    writeTable(io, applications, [
      { title: 'ALIAS', value: ({ alias }) => alias },
      { title: 'NAME', value: ({ name }) => name },
      { title: 'PLATFORM', value: ({ platform }) => platform },
      { title: 'IDENTIFIER', value: ({ bundleIdentifier }) => bundleIdentifier },
      { title: 'BUILDS', value: ({ buildCount }) => buildCount, align: 'right' },
      {
        title: 'LATEST',
        value: ({ latestBuild }) => latestBuild && `${latestBuild.shortVersion} (${latestBuild.version})`,
      },
      { title: 'UPLOADED', value: ({ latestBuild }) => latestBuild && formatInstant(latestBuild.uploadedDate) },
    ]),
  )
}
