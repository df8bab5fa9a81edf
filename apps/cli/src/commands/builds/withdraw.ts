import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { CliError } from '../../cli-error.ts'
import { idArgument, remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireGroups } from '../../lookups/groups.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly group: readonly string[]
}

export const command = buildCommand<Flags, [id: number], CliContext>({
  docs: { brief: 'Take a build back from distribution groups' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the build')] },
    flags: {
      group: {
        kind: 'parsed',
        parse: String,
        variadic: true,
        brief: 'Name of a group; may be given several times',
        placeholder: 'name',
      },
      ...remoteFlags,
    },
  },
  func(flags, id) {
    return withdrawBuild(this.io, flags, id)
  },
})

async function withdrawBuild(io: Io, flags: Flags, id: number): Promise<void> {
  if (flags.group.length === 0) {
    throw new CliError('usage', 'No group is given', { fix: 'Name the groups with --group.' })
  }
  const { client } = await openSession(io, flags)
  const groups = await requireGroups(io, client, flags.group)
  for (const group of groups) await client.builds.withdraw(id, group.id, { signal: io.signal })
  const names = groups.map(({ name }) => name)
  writeResult(io, flags.json, { id, groups: names }, () =>
    writeLine(io, `Took build ${id} back from ${toShownLine(names.join(', '))}`),
  )
}
