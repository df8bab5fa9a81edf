import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeTable } from '../../output/table.ts'
import { formatInstant } from '../../output/units.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [], CliContext>({
  docs: { brief: 'List the open invitations' },
  parameters: { flags: remoteFlags },
  func(flags) {
    return listInvitations(this.io, flags)
  },
})

async function listInvitations(io: Io, flags: RemoteFlags): Promise<void> {
  const { client } = await openSession(io, flags)
  const invitations = await client.members.listInvitations({ signal: io.signal })
  writeResult(io, flags.json, invitations, () =>
    writeTable(io, invitations, [
      { title: 'ID', value: ({ id }) => id, align: 'right' },
      { title: 'EMAIL', value: ({ email }) => email },
      { title: 'ROLE', value: ({ role }) => role },
      { title: 'EXPIRES', value: ({ expirationDate }) => formatInstant(expirationDate) },
    ]),
  )
}
