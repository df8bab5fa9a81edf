import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags, textArgument } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { updateCrashGroup } from '../../crashes/update-crash-group.ts'
import { requireMember } from '../../lookups/member.ts'
import { openSession } from '../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [id: number, email: string], CliContext>({
  docs: { brief: 'Assign a crash group to a member, or to "nobody"' },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [idArgument('Id of the crash group'), textArgument('Address of a member, or nobody', 'email')],
    },
    flags: remoteFlags,
  },
  func(flags, id, email) {
    return assign(this.io, flags, id, email)
  },
})

async function assign(io: Io, flags: RemoteFlags, id: number, email: string): Promise<void> {
  if (email === 'nobody') return updateCrashGroup(io, flags, id, { assigneeId: null })
  const { client } = await openSession(io, flags)
  const { accountId } = await requireMember(io, client, email)
  return updateCrashGroup(io, flags, id, { assigneeId: accountId })
}
