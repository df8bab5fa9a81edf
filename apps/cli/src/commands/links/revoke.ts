import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [id: number], CliContext>({
  docs: { brief: 'Revoke a latest link, and the downloads that it allowed' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the link')] },
    flags: remoteFlags,
  },
  func(flags, id) {
    return revokeLink(this.io, flags, id)
  },
})

async function revokeLink(io: Io, flags: RemoteFlags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  const link = await client.latestLinks.update(id, { isRevoked: true }, { signal: io.signal })
  writeResult(io, flags.json, link, () => writeLine(io, `Revoked the link ${toShownLine(link.name)}`))
}
