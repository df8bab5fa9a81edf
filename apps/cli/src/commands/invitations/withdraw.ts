import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [id: number], CliContext>({
  docs: { brief: 'Withdraw an invitation' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the invitation')] },
    flags: remoteFlags,
  },
  func(flags, id) {
    return withdrawInvitation(this.io, flags, id)
  },
})

async function withdrawInvitation(io: Io, flags: RemoteFlags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  await client.members.withdrawInvitation(id, { signal: io.signal })
  writeResult(io, flags.json, { id }, () => writeLine(io, `Withdrew the invitation ${id}`))
}
