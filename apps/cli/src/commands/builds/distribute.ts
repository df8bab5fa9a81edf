import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags, switchFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireGroups } from '../../lookups/groups.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly group: readonly string[]
  readonly notify: boolean
  readonly dryRun: boolean
}

export const command = buildCommand<Flags, [id: number], CliContext>({
  docs: { brief: 'Give a build to distribution groups' },
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
      notify: switchFlag('Send the testers a mail'),
      dryRun: switchFlag('Only say what would happen'),
      ...remoteFlags,
    },
  },
  func(flags, id) {
    return distributeBuild(this.io, flags, id)
  },
})

async function distributeBuild(io: Io, flags: Flags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  const call = { signal: io.signal }
  const build = await client.builds.get(id, call)
  const groups = await requireGroups(io, client, flags.group)
  const { notify, dryRun } = flags
  if (!dryRun) {
    const distributionGroupIds = groups.map((group) => group.id)
    await client.builds.distribute(id, { distributionGroupIds, notifyTesters: notify }, call)
  }
  const names = groups.map(({ name }) => name)
  const testers = groups.reduce((sum, { testerCount }) => sum + testerCount, 0)
  const result = { id, groups: names, notify, dryRun, installUrl: build.installUrl }
  writeResult(io, flags.json, result, () => {
    const done = dryRun ? 'Would give' : 'Gave'
    const told = notify ? `, with a mail to at most ${testers} testers` : ''
    writeLine(io, `${done} build ${id} to ${toShownLine(names.join(', '))}${told}`)
  })
}
