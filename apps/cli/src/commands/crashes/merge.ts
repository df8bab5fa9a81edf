import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags, switchFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeCrashGroup } from '../../crashes/write-crash-group.ts'
import { confirmLoss } from '../../output/confirm.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly yes: boolean
}

export const command = buildCommand<Flags, number[], CliContext>({
  docs: { brief: 'Merge crash groups into the first one, which later crashes of all join' },
  parameters: {
    positional: { kind: 'array', minimum: 2, parameter: idArgument('Id of a crash group, the one that stays first') },
    flags: { yes: switchFlag('Do not ask'), ...remoteFlags },
  },
  func(flags, first, ...others) {
    return mergeGroups(this.io, flags, first, others)
  },
})

async function mergeGroups(io: Io, flags: Flags, first: number | undefined, others: number[]): Promise<void> {
  if (first === undefined) throw new Error('The parser takes at least two groups')
  const { client } = await openSession(io, flags)
  const { title } = await client.crashes.getGroup(first)
  await confirmLoss(io, flags.yes, `Merge ${others.join(', ')} into ${first}, ${title}?`)
  const group = await client.crashes.mergeGroups(first, others)
  writeResult(io, flags.json, group, () => writeCrashGroup(io, group))
}
