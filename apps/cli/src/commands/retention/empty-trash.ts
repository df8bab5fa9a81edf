import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, requiredAppFlag, switchFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireApplication } from '../../lookups/application.ts'
import { confirmLoss } from '../../output/confirm.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly app: string
  readonly yes: boolean
}

export const command = buildCommand<Flags, [], CliContext>({
  docs: { brief: 'Delete the builds in the trash of an application for good' },
  parameters: { flags: { app: requiredAppFlag, yes: switchFlag('Do not ask'), ...remoteFlags } },
  func(flags) {
    return emptyTrash(this.io, flags)
  },
})

async function emptyTrash(io: Io, flags: Flags): Promise<void> {
  const { client } = await openSession(io, flags)
  const { id: applicationId } = await requireApplication(io, client, flags.app)
  await confirmLoss(io, flags.yes, `Delete every build in the trash of ${flags.app} for good?`)
  await client.retention.emptyTrash(applicationId, { signal: io.signal })
  writeResult(io, flags.json, { applicationId, emptied: true }, () => writeLine(io, 'The trash is being emptied'))
}
