import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags } from '../../flags.ts'
import { updateCrashGroup } from '../../crashes/update-crash-group.ts'

export const command = buildCommand<RemoteFlags, [id: number], CliContext>({
  docs: { brief: 'Open a crash group that was resolved or ignored' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the crash group')] },
    flags: remoteFlags,
  },
  func(flags, id) {
    return updateCrashGroup(this.io, flags, id, { status: 'open' })
  },
})
