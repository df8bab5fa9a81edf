import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags, switchFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { toVersion } from '../../output/build.ts'
import { confirmLoss } from '../../output/confirm.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly yes: boolean
  readonly dryRun: boolean
}

export const command = buildCommand<Flags, [id: number], CliContext>({
  docs: { brief: 'Delete a build; its install link ends with it' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the build')] },
    flags: {
      yes: switchFlag('Do not ask'),
      dryRun: switchFlag('Only say what would happen'),
      ...remoteFlags,
    },
  },
  func(flags, id) {
    return deleteBuild(this.io, flags, id)
  },
})

async function deleteBuild(io: Io, flags: Flags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  const build = await client.builds.get(id, { signal: io.signal })
  const shown = toShownLine(`build ${id}, ${build.name} ${toVersion(build)}`)
  if (!flags.dryRun) {
    await confirmLoss(io, flags.yes, `Delete ${shown}?`)
    await client.builds.remove(id, { signal: io.signal })
  }
  writeResult(io, flags.json, { id, deleted: !flags.dryRun }, () =>
    writeLine(io, `${flags.dryRun ? 'Would delete' : 'Deleted'} ${shown}`),
  )
}
