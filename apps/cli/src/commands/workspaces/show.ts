import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'
import { writeWorkspace } from '../../workspace/write-workspace.ts'

export const command = buildCommand<RemoteFlags, [], CliContext>({
  docs: { brief: 'Show the workspace of the token' },
  parameters: { flags: remoteFlags },
  func(flags) {
    return showWorkspace(this.io, flags)
  },
})

async function showWorkspace(io: Io, flags: RemoteFlags): Promise<void> {
  const { client } = await openSession(io, flags)
  const workspace = await client.workspace.get({ signal: io.signal })
  writeResult(io, flags.json, workspace, () => writeWorkspace(io, workspace))
}
