import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [id: number], CliContext>({
  docs: { brief: 'Take a build out of the trash' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the build')] },
    flags: remoteFlags,
  },
  func(flags, id) {
    return restoreBuild(this.io, flags, id)
  },
})

async function restoreBuild(io: Io, flags: RemoteFlags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  const build = await client.retention.restore(id, { signal: io.signal })
  writeResult(io, flags.json, build, () => writeLine(io, `Restored build ${id}`))
}
