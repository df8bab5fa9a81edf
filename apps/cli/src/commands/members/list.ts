import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeTable } from '../../output/table.ts'
import { formatInstant } from '../../output/units.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [], CliContext>({
  docs: { brief: 'List the members of the workspace' },
  parameters: { flags: remoteFlags },
  func(flags) {
    return listMembers(this.io, flags)
  },
})

async function listMembers(io: Io, flags: RemoteFlags): Promise<void> {
  const { client } = await openSession(io, flags)
  const members = await client.members.list({ signal: io.signal })
  writeResult(io, flags.json, members, () =>
    writeTable(io, members, [
      { title: 'EMAIL', value: ({ email }) => email },
      { title: 'NAME', value: ({ name }) => name },
      { title: 'ROLE', value: ({ role }) => role },
      { title: 'SINCE', value: ({ createdDate }) => formatInstant(createdDate) },
    ]),
  )
}
