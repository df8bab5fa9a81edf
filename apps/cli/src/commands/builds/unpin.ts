import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [id: number], CliContext>({
  docs: { brief: 'Let retention rules remove a build again' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the build')] },
    flags: remoteFlags,
  },
  func(flags, id) {
    return unpinBuild(this.io, flags, id)
  },
})

async function unpinBuild(io: Io, flags: RemoteFlags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  await client.retention.unpin(id, { signal: io.signal })
  writeResult(io, flags.json, { id, isPinned: false }, () => writeLine(io, `Unpinned build ${id}`))
}
