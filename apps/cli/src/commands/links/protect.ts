import { buildCommand } from '@stricli/core'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, switchFlag, textFlag } from '../../flags.ts'
import { type LinkFlags, linkFlag, readLinkPassword, updateLink } from '../../install-links/update-link.ts'
import type { Io } from '../../io.ts'

interface Flags extends LinkFlags {
  readonly passwordEnv?: string
  readonly open: boolean
}

export const command = buildCommand<Flags, [id: number], CliContext>({
  docs: { brief: 'Give a latest link, or the install link of a build, a password' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the link, or of the build')] },
    flags: {
      passwordEnv: textFlag('Environment variable that holds the password', 'name'),
      open: switchFlag('Ask for no password any more'),
      ...linkFlag,
      ...remoteFlags,
    },
  },
  func(flags, id) {
    return protectLink(this.io, flags, id)
  },
})

async function protectLink(io: Io, flags: Flags, id: number): Promise<void> {
  const { passwordEnv, open } = flags
  if ((passwordEnv === undefined) !== open) {
    throw new CliError('usage', 'Either --password-env NAME or --open is needed')
  }
  const password = passwordEnv === undefined ? null : readLinkPassword(io, passwordEnv)
  return updateLink(io, flags, id, { password })
}
