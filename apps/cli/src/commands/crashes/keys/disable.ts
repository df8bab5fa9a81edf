import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../../context.ts'
import { type CrashKeyFlags, switchCrashKey } from '../../../crashes/switch-crash-key.ts'
import { idArgument, remoteFlags, requiredAppFlag } from '../../../flags.ts'

export const command = buildCommand<CrashKeyFlags, [id: number], CliContext>({
  docs: { brief: 'Refuse crashes with a key from now on' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the key')] },
    flags: {
      app: requiredAppFlag,
      ...remoteFlags,
    },
  },
  func(flags, id) {
    return switchCrashKey(this.io, flags, id, false)
  },
})
