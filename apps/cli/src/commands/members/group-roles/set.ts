import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../../context.ts'
import { parseRole, remoteFlags, type RemoteFlags, type Role, textArgument } from '../../../flags.ts'
import type { Io } from '../../../io.ts'
import { toShownLine } from '../../../output/shown-text.ts'
import { writeLine, writeResult } from '../../../output/write.ts'
import { openSession } from '../../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [provider: string, group: string, role: Role], CliContext>({
  docs: { brief: 'Give the members of a group of a provider a role at their next sign-in' },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        textArgument('Key of the provider', 'provider'),
        textArgument('Group, as the provider sends it', 'group'),
        { brief: 'viewer, developer or admin', placeholder: 'role', parse: parseRole },
      ],
    },
    flags: remoteFlags,
  },
  func(flags, provider, group, role) {
    return setGroupRole(this.io, flags, { provider, group, role })
  },
})

async function setGroupRole(
  io: Io,
  flags: RemoteFlags,
  given: { provider: string; group: string; role: Role },
): Promise<void> {
  const { client } = await openSession(io, flags)
  const before = await client.members.listGroupRoles({ signal: io.signal })
  const others = before.filter(({ provider, group }) => provider !== given.provider || group !== given.group)
  const roles = await client.members.replaceGroupRoles([...others, given], { signal: io.signal })
  writeResult(io, flags.json, roles, () =>
    writeLine(
      io,
      toShownLine(`Members of ${given.group} at ${given.provider} are ${given.role} from their next sign-in`),
    ),
  )
}
