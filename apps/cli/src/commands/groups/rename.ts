import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, textArgument } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireGroup } from '../../lookups/groups.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [name: string, next: string], CliContext>({
  docs: { brief: 'Rename a distribution group' },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [textArgument('Name of the group', 'name'), textArgument('Its new name', 'new-name')],
    },
    flags: remoteFlags,
  },
  func(flags, name, next) {
    return renameGroup(this.io, flags, name, next)
  },
})

async function renameGroup(io: Io, flags: RemoteFlags, name: string, next: string): Promise<void> {
  const { client } = await openSession(io, flags)
  const { id } = await requireGroup(io, client, name)
  const group = await client.groups.update(id, { name: next }, { signal: io.signal })
  writeResult(io, flags.json, group, () =>
    writeLine(io, `The group ${toShownLine(name)} is called ${toShownLine(group.name)} now`),
  )
}
