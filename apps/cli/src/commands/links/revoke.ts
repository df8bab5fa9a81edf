import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags } from '../../flags.ts'
import { type LinkFlags, linkFlag, updateLink } from '../../install-links/update-link.ts'

export const command = buildCommand<LinkFlags, [id: number], CliContext>({
  docs: { brief: 'Revoke a latest link, or the install link of a build, and the downloads that it allowed' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the link, or of the build')] },
    flags: { ...linkFlag, ...remoteFlags },
  },
  func(flags, id) {
    return updateLink(this.io, flags, id, { isRevoked: true })
  },
})
