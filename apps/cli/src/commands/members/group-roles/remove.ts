import { buildCommand } from '@stricli/core'
import { CliError } from '../../../cli-error.ts'
import type { CliContext } from '../../../context.ts'
import { remoteFlags, type RemoteFlags, textArgument } from '../../../flags.ts'
import type { Io } from '../../../io.ts'
import { toShownLine } from '../../../output/shown-text.ts'
import { writeLine, writeResult } from '../../../output/write.ts'
import { openSession } from '../../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [provider: string, group: string], CliContext>({
  docs: { brief: 'Take the role of a group away, from its members at their next sign-in' },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        textArgument('Key of the provider', 'provider'),
        textArgument('Group, as the provider sends it', 'group'),
      ],
    },
    flags: remoteFlags,
  },
  func(flags, provider, group) {
    return removeGroupRole(this.io, flags, provider, group)
  },
})

async function removeGroupRole(io: Io, flags: RemoteFlags, provider: string, group: string): Promise<void> {
  const { client } = await openSession(io, flags)
  const before = await client.members.listGroupRoles({ signal: io.signal })
  const others = before.filter((one) => one.provider !== provider || one.group !== group)
  if (others.length === before.length) {
    throw new CliError('notFound', `No role belongs to the group ${toShownLine(group)} of ${toShownLine(provider)}`)
  }
  const roles = await client.members.replaceGroupRoles(others, { signal: io.signal })
  writeResult(io, flags.json, roles, () =>
    writeLine(io, toShownLine(`Members of ${group} at ${provider} have no role by it from their next sign-in`)),
  )
}
