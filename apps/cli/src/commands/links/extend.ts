import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags } from '../../flags.ts'
import { type LinkFlags, linkFlag, updateLink } from '../../install-links/update-link.ts'
import { parseDate } from '../../lookups/parse-date.ts'

interface Flags extends LinkFlags {
  readonly until: string
}

export const command = buildCommand<Flags, [id: number], CliContext>({
  docs: { brief: 'Change the day at which a latest link, or the install link of a build, ends' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the link, or of the build')] },
    flags: {
      until: { kind: 'parsed', parse: String, brief: 'Day or instant, such as 2030-01-31', placeholder: 'date' },
      ...linkFlag,
      ...remoteFlags,
    },
  },
  func(flags, id) {
    return updateLink(this.io, flags, id, { expirationDate: parseDate(flags.until) })
  },
})
