import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [id: number], CliContext>({
  docs: { brief: 'Revoke an API token; it ends at once' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the token')] },
    flags: remoteFlags,
  },
  func(flags, id) {
    return revokeToken(this.io, flags, id)
  },
})

async function revokeToken(io: Io, flags: RemoteFlags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  await client.apiTokens.revoke(id, { signal: io.signal })
  writeResult(io, flags.json, { id }, () => writeLine(io, `Revoked the token ${id}`))
}
