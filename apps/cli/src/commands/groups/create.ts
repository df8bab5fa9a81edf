import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, textArgument } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [name: string], CliContext>({
  docs: { brief: 'Create a distribution group' },
  parameters: {
    positional: { kind: 'tuple', parameters: [textArgument('Name of the group', 'name')] },
    flags: remoteFlags,
  },
  func(flags, name) {
    return createGroup(this.io, flags, name)
  },
})

async function createGroup(io: Io, flags: RemoteFlags, name: string): Promise<void> {
  const { client } = await openSession(io, flags)
  const group = await client.groups.create({ name }, { signal: io.signal })
  writeResult(io, flags.json, group, () => writeLine(io, `Made the group ${toShownLine(group.name)}`))
}
