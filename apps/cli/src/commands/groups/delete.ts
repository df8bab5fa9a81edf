import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, switchFlag, textArgument } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireGroup } from '../../lookups/groups.ts'
import { confirmLoss } from '../../output/confirm.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly yes: boolean
}

export const command = buildCommand<Flags, [name: string], CliContext>({
  docs: { brief: 'Delete a distribution group; its testers and builds stay' },
  parameters: {
    positional: { kind: 'tuple', parameters: [textArgument('Name of the group', 'name')] },
    flags: { yes: switchFlag('Do not ask'), ...remoteFlags },
  },
  func(flags, name) {
    return deleteGroup(this.io, flags, name)
  },
})

async function deleteGroup(io: Io, flags: Flags, name: string): Promise<void> {
  const { client } = await openSession(io, flags)
  const group = await requireGroup(io, client, name)
  const shown = `the group ${toShownLine(group.name)} with ${group.testerCount} testers`
  await confirmLoss(io, flags.yes, `Delete ${shown}?`)
  await client.groups.remove(group.id, { signal: io.signal })
  writeResult(io, flags.json, { id: group.id, deleted: true }, () => writeLine(io, `Deleted ${shown}`))
}
