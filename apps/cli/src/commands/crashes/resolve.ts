import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags, textFlag } from '../../flags.ts'
import { updateCrashGroup } from '../../crashes/update-crash-group.ts'

interface Flags extends RemoteFlags {
  readonly version?: string
}

export const command = buildCommand<Flags, [id: number], CliContext>({
  docs: { brief: 'Mark a crash group as resolved; a crash in a later version opens it again' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the crash group')] },
    flags: { version: textFlag('The version that it is resolved in', 'version'), ...remoteFlags },
  },
  func(flags, id) {
    return updateCrashGroup(this.io, flags, id, { status: 'resolved', resolvedInVersion: flags.version ?? null })
  },
})
