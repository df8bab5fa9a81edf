import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags, textFlag } from '../../flags.ts'
import { updateCrashGroup } from '../../crashes/update-crash-group.ts'
import { parseDate } from '../../lookups/parse-date.ts'

interface Flags extends RemoteFlags {
  readonly until?: string
}

export const command = buildCommand<Flags, [id: number], CliContext>({
  docs: { brief: 'Ignore a crash group' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the crash group')] },
    flags: { until: textFlag('Until when, such as 2030-01-31 or 2030-01-31T12:00:00Z', 'date'), ...remoteFlags },
  },
  func(flags, id) {
    const ignoredUntilDate = flags.until === undefined ? null : parseDate(flags.until)
    return updateCrashGroup(this.io, flags, id, { status: 'ignored', ignoredUntilDate })
  },
})
