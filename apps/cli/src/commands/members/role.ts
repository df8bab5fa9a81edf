import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { parseRole, remoteFlags, type RemoteFlags, type Role, roles, textArgument } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireMember } from '../../lookups/member.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [email: string, role: Role], CliContext>({
  docs: { brief: 'Give a member another role' },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        textArgument('Address of the member', 'email'),
        {
          brief: 'viewer, developer or admin',
          placeholder: 'role',
          parse: parseRole,
          proposeCompletions: (partial) => roles.filter((role) => role.startsWith(partial)),
        },
      ],
    },
    flags: remoteFlags,
  },
  func(flags, email, role) {
    return setRole(this.io, flags, email, role)
  },
})

async function setRole(io: Io, flags: RemoteFlags, email: string, role: Role): Promise<void> {
  const { client } = await openSession(io, flags)
  const { accountId } = await requireMember(io, client, email)
  const member = await client.members.setRole(accountId, role, { signal: io.signal })
  writeResult(io, flags.json, member, () => writeLine(io, toShownLine(`${member.email} is ${member.role} now`)))
}
