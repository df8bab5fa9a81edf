import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../../context.ts'
import { remoteFlags, type RemoteFlags } from '../../../flags.ts'
import type { Io } from '../../../io.ts'
import { writeTable } from '../../../output/table.ts'
import { writeResult } from '../../../output/write.ts'
import { openSession } from '../../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [], CliContext>({
  docs: { brief: 'List which groups of providers have which role' },
  parameters: { flags: remoteFlags },
  func(flags) {
    return listGroupRoles(this.io, flags)
  },
})

async function listGroupRoles(io: Io, flags: RemoteFlags): Promise<void> {
  const { client } = await openSession(io, flags)
  const roles = await client.members.listGroupRoles({ signal: io.signal })
  writeResult(io, flags.json, roles, () =>
    writeTable(io, roles, [
      { title: 'PROVIDER', value: ({ provider }) => provider },
      { title: 'GROUP', value: ({ group }) => group },
      { title: 'ROLE', value: ({ role }) => role },
    ]),
  )
}
