import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, switchFlag, textArgument } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireApplication } from '../../lookups/application.ts'
import { confirmLoss } from '../../output/confirm.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly yes: boolean
}

export const command = buildCommand<Flags, [alias: string], CliContext>({
  docs: { brief: 'Delete an application with all its builds, symbols, tests and crashes' },
  parameters: {
    positional: { kind: 'tuple', parameters: [textArgument('Alias of the application', 'alias')] },
    flags: { yes: switchFlag('Do not ask'), ...remoteFlags },
  },
  func(flags, alias) {
    return deleteApplication(this.io, flags, alias)
  },
})

async function deleteApplication(io: Io, flags: Flags, alias: string): Promise<void> {
  const { client } = await openSession(io, flags)
  const { id, name, buildCount } = await requireApplication(io, client, alias)
  await confirmLoss(io, flags.yes, `Delete ${toShownLine(name)} with ${buildCount} builds for good?`)
  await client.applications.remove(id, { signal: io.signal })
  writeResult(io, flags.json, { id, alias, buildCount }, () => writeLine(io, `Deleted the application ${alias}`))
}
