import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [id: number], CliContext>({
  docs: { brief: 'Bring the builds of a run back that are still in the trash' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the run')] },
    flags: remoteFlags,
  },
  func(flags, id) {
    return undoRun(this.io, flags, id)
  },
})

async function undoRun(io: Io, flags: RemoteFlags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  const run = await client.retention.undo(id, { signal: io.signal })
  writeResult(io, flags.json, run, () => writeLine(io, `Restored ${run.restoredCount} of ${run.trashedCount} builds`))
}
