import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [id: number], CliContext>({
  docs: { brief: 'Keep a build from every retention rule' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the build')] },
    flags: remoteFlags,
  },
  func(flags, id) {
    return pinBuild(this.io, flags, id)
  },
})

async function pinBuild(io: Io, flags: RemoteFlags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  await client.retention.pin(id, { signal: io.signal })
  writeResult(io, flags.json, { id, isPinned: true }, () => writeLine(io, `Pinned build ${id}`))
}
