import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags, switchFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { confirmLoss } from '../../output/confirm.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly yes: boolean
}

export const command = buildCommand<Flags, [id: number], CliContext>({
  docs: { brief: 'Delete a device; Apple keeps it, if it is registered there' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the device')] },
    flags: { yes: switchFlag('Do not ask'), ...remoteFlags },
  },
  func(flags, id) {
    return deleteDevice(this.io, flags, id)
  },
})

async function deleteDevice(io: Io, flags: Flags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  await confirmLoss(io, flags.yes, `Delete device ${id}?`)
  await client.devices.remove(id, { signal: io.signal })
  writeResult(io, flags.json, { id, deleted: true }, () => writeLine(io, `Deleted device ${id}`))
}
