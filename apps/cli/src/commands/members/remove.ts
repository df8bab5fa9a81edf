import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, switchFlag, textArgument } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireMember } from '../../lookups/member.ts'
import { confirmLoss } from '../../output/confirm.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly yes: boolean
}

export const command = buildCommand<Flags, [email: string], CliContext>({
  docs: { brief: 'Remove a member from the workspace' },
  parameters: {
    positional: { kind: 'tuple', parameters: [textArgument('Address of the member', 'email')] },
    flags: { yes: switchFlag('Do not ask'), ...remoteFlags },
  },
  func(flags, email) {
    return removeMember(this.io, flags, email)
  },
})

async function removeMember(io: Io, flags: Flags, given: string): Promise<void> {
  const { client } = await openSession(io, flags)
  const { accountId, email } = await requireMember(io, client, given)
  await confirmLoss(io, flags.yes, `Remove ${toShownLine(email)} from the workspace?`)
  await client.members.remove(accountId, { signal: io.signal })
  writeResult(io, flags.json, { accountId, email }, () => writeLine(io, toShownLine(`Removed ${email}`)))
}
