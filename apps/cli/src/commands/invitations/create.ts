import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, type Role, roleFlag, textArgument } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly role: Role
}

export const command = buildCommand<Flags, [email: string], CliContext>({
  docs: { brief: 'Invite a person to the workspace' },
  parameters: {
    positional: { kind: 'tuple', parameters: [textArgument('Address of the person', 'email')] },
    flags: { role: { ...roleFlag, default: 'developer' }, ...remoteFlags },
  },
  func(flags, email) {
    return invite(this.io, flags, email)
  },
})

async function invite(io: Io, flags: Flags, email: string): Promise<void> {
  const { client } = await openSession(io, flags)
  const invitation = await client.members.invite({ email, role: flags.role }, { signal: io.signal })
  writeResult(io, flags.json, invitation, () =>
    // A server that sends mails has mailed the link, which proves whose address it is.
    writeLine(io, toShownLine(invitation.inviteUrl ?? `Invited ${invitation.email} by mail`)),
  )
}
