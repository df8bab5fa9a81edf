import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../../context.ts'
import { remoteFlags, type RemoteFlags, switchFlag } from '../../../flags.ts'
import type { Io } from '../../../io.ts'
import { confirmLoss } from '../../../output/confirm.ts'
import { writeLine, writeResult } from '../../../output/write.ts'
import { openSession } from '../../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly yes: boolean
}

export const command = buildCommand<Flags, [], CliContext>({
  docs: { brief: 'Delete the key of App Store Connect' },
  parameters: { flags: { yes: switchFlag('Do not ask'), ...remoteFlags } },
  func(flags) {
    return deleteKey(this.io, flags)
  },
})

async function deleteKey(io: Io, flags: Flags): Promise<void> {
  const { client } = await openSession(io, flags)
  await confirmLoss(io, flags.yes, 'Delete the key of App Store Connect?')
  await client.devices.removeAppStoreConnect({ signal: io.signal })
  writeResult(io, flags.json, { deleted: true }, () => writeLine(io, 'Deleted the key of App Store Connect'))
}
